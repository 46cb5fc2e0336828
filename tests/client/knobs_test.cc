// Knobs from the interface through the region to the collector and back.
#include <gmock/gmock.h>

#include <limits>

#include "edgewise/edgewise.hpp"
#include "ring_fixture.h"

namespace edgewise {
namespace {

class KnobsTest : public RingFixture {
 protected:
  KnobsTest() { EXPECT_EQ(edgewise_connect(), 1); }
  uint32_t Client() {
    Drain();
    return sink_.started.back().id;
  }
};

TEST_F(KnobsTest, AKnobHasItsPresetValueUntilItIsSetAndAfterwards) {
  const Knob<int> stride("stride", 2, 1, 8);
  EXPECT_EQ(stride, 2);
  const uint32_t client = Client();
  ASSERT_TRUE(collector_->SetKnob(client, "stride", 4));
  EXPECT_EQ(stride, 4);
  ASSERT_TRUE(collector_->SetKnob(client, "stride", std::nullopt));
  EXPECT_EQ(stride, 2);
}

TEST_F(KnobsTest, TheCollectorSeesNameAndRange) {
  const Knob<double> size("size", 0.5, 0.25, 1);
  const auto knobs = collector_->Knobs(Client());
  const auto found =
      std::find_if(knobs.begin(), knobs.end(),
                   [](const auto& knob) { return knob.name == "size"; });
  ASSERT_NE(found, knobs.end());
  EXPECT_EQ(found->preset, 0.5);
  EXPECT_EQ(found->least, 0.25);
  EXPECT_EQ(found->most, 1);
  EXPECT_FALSE(found->wanted);
}

TEST_F(KnobsTest, ValuesOutsideTheRangeAreNotTakenByEitherSide) {
  const Knob<int> limited("limited", 3, 1, 8);
  const uint32_t client = Client();
  EXPECT_FALSE(collector_->SetKnob(client, "limited", 9));
  EXPECT_FALSE(collector_->SetKnob(client, "limited",
                                   std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(collector_->SetKnob(client, "nobody", 1));
  EXPECT_FALSE(collector_->SetKnob(client + 1000, "limited", 2));
  EXPECT_EQ(limited, 3);
}

TEST_F(KnobsTest, KnobsOfOneNameAreOne) {
  const Knob<int> first("same", 1, 1, 4);
  const Knob<int> second("same", 2, 1, 100);
  ASSERT_TRUE(collector_->SetKnob(Client(), "same", 4));
  EXPECT_EQ(first, 4);
  EXPECT_EQ(second, 4);
  EXPECT_FALSE(collector_->SetKnob(Client(), "same", 50));
}

TEST_F(KnobsTest, ANewCollectorFindsThemPreset) {
  const Knob<int> kept("kept", 1, 1, 8);
  ASSERT_TRUE(collector_->SetKnob(Client(), "kept", 8));
  EXPECT_EQ(kept, 8);
  collector_.reset();
  (void)edgewise_connect();  // notices that nobody is there
  EXPECT_EQ(kept, 1);
}

TEST_F(KnobsTest, NonsenseIsNoKnobAndStaysAsItWas) {
  EXPECT_EQ(edgewise_knob_declare("empty", 1, 2, 1), 0U);
  EXPECT_EQ(edgewise_knob_value(0), 0);
  EXPECT_EQ(edgewise_knob_value(12345), 0);
  const Knob<int> empty("empty range", 7, 2, 1);
  EXPECT_EQ(empty, 7);
  const Knob<bool> flag("flag", true);
  EXPECT_TRUE(flag);
  const Knob<int64_t> large("large", std::numeric_limits<int64_t>::max());
  EXPECT_EQ(large, std::numeric_limits<int64_t>::max());
}

}  // namespace
}  // namespace edgewise
