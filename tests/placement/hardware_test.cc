#include "placement/hardware.h"

#include <gtest/gtest.h>

#include "shipped_model.h"

namespace edgewise {
namespace {

class HardwareTest : public testing::Test {
 protected:
  const Hardware hardware_{ShippedModel()};
};

TEST_F(HardwareTest, NamesOfOneBoardFindOneDevice) {
  const KnownDevice* const device = hardware_.Find("Raspberry Pi 4B");
  ASSERT_NE(device, nullptr);
  EXPECT_EQ(hardware_.Find("Raspberry Pi 4 Model B Rev 1.4 "), device);
  EXPECT_EQ(hardware_.Find(device->name), device);
  EXPECT_EQ(hardware_.Find("Acme Board 7"), nullptr);
  EXPECT_EQ(hardware_.Find(""), nullptr);
}

TEST_F(HardwareTest, FastestSettingIsPredicted) {
  const KnownDevice* const device = hardware_.Find("Raspberry Pi 4B");
  const auto network = QueryKnownNetwork(ShippedModel(), "mobilenet_v2");
  ASSERT_TRUE(network.ok());
  for (const Query& query : {SomeModel(), *network}) {
    const auto fastest = hardware_.Predict(query, *device);
    ASSERT_TRUE(fastest);
    for (const KnownRun* const run : device->runs) {
      if (const auto other = PredictOnRun(ShippedModel(), query, *run)) {
        EXPECT_LE(fastest->ms, other->ms);
      }
    }
  }
}

TEST_F(HardwareTest, UnknownDeviceHasAWiderInterval) {
  const auto known =
      hardware_.Predict(SomeModel(), *hardware_.Find("Raspberry Pi 4B"));
  const auto unknown = hardware_.PredictUnknown(
      SomeModel(), "Acme Board 7", SpecFromWords("Cortex-A72 1.8GHz"));
  ASSERT_TRUE(known && unknown);
  EXPECT_EQ(unknown->basis, Basis::kSpecOnly);
  ASSERT_TRUE(known->low_ms && unknown->low_ms);
  EXPECT_GT(*unknown->high_ms / *unknown->low_ms,
            *known->high_ms / *known->low_ms);
}

TEST_F(HardwareTest, FasterSpecsAreNotPredictedSlower) {
  const auto slow = hardware_.PredictUnknown(
      SomeModel(), "?", SpecFromWords("Cortex-A72 1.0GHz"));
  const auto fast = hardware_.PredictUnknown(
      SomeModel(), "?", SpecFromWords("Cortex-A72 2.0GHz"));
  ASSERT_TRUE(slow && fast);
  EXPECT_LE(fast->ms, slow->ms);
}

TEST_F(HardwareTest, MoreLoadIsNotFaster) {
  const auto idle =
      hardware_.Predict(SomeModel(), *hardware_.Find("Raspberry Pi 4B"));
  double before = 0;
  for (const double percent : {0.0, 10.0, 50.0, 90.0, 100.0}) {
    const LoadFactors factors =
        FactorsUnderLoad(ShippedModel(), *idle, percent);
    EXPECT_GE(factors.ms, before);
    if (factors.low && factors.high) {
      EXPECT_LE(*factors.low, factors.ms);
      EXPECT_GE(*factors.high, factors.ms);
    }
    before = factors.ms;
  }
}

}  // namespace
}  // namespace edgewise
