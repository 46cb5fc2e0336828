#include "controls/netem_queue.h"

#include <gtest/gtest.h>

#include "own_network.h"

namespace edgewise {
namespace {

constexpr int kHandle = 0x1234;
constexpr int kOther = 0x1235;

TEST(NetemQueueTest, AnInterfaceThatIsNotThereIsToldOf) {
  EXPECT_NE(AddNetem(1 << 30, kHandle, {}), 0);
  EXPECT_EQ(RemoveNetem(1 << 30, kHandle), 0) << "gone with its queue";
}

TEST(NetemQueueTest, ItComesAndGoes) {
  const std::string why_not = InOwnNetworkWithNetem([] {
    EXPECT_FALSE(HasNetem(kHandle));
    NetemValues values;
    values.delay_ns = 40'000'000;
    values.jitter_ns = 5'000'000;
    values.loss_of_2_32 = 1 << 25;
    values.rate_bytes_per_s = 125'000;
    EXPECT_EQ(AddNetem(kOwnLoopback, kHandle, values), 0);
    EXPECT_TRUE(HasNetem(kHandle));
    EXPECT_FALSE(HasNetem(kOther));
    EXPECT_EQ(RemoveNetem(kOwnLoopback, kHandle), 0);
    EXPECT_FALSE(HasNetem(kHandle));
    EXPECT_EQ(RemoveNetem(kOwnLoopback, kHandle), 0) << "there is none";
    values.rate_bytes_per_s = uint64_t{100} << 30;
    EXPECT_EQ(AddNetem(kOwnLoopback, kHandle, values), 0) << "beyond 32 bits";
  });
  if (!why_not.empty()) {
    GTEST_SKIP() << why_not;
  }
}

TEST(NetemQueueTest, AnothersQueueIsNeitherReplacedNorRemoved) {
  const std::string why_not = InOwnNetworkWithNetem([] {
    ASSERT_EQ(AddNetem(kOwnLoopback, kOther, {}), 0);
    EXPECT_EQ(AddNetem(kOwnLoopback, kHandle, {}), EEXIST);
    EXPECT_EQ(RemoveNetem(kOwnLoopback, kHandle), 0);
    EXPECT_TRUE(HasNetem(kOther));
  });
  if (!why_not.empty()) {
    GTEST_SKIP() << why_not;
  }
}

}  // namespace
}  // namespace edgewise
