#include "controls/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controls/affinity.h"

namespace edgewise {
namespace {

using ::testing::HasSubstr;

TEST(PolicyTest, PoliciesAreReadAsPeopleWriteThem) {
  EXPECT_EQ(ParsePolicy("other")->policy, SCHED_OTHER);
  EXPECT_EQ(ParsePolicy("batch")->policy, SCHED_BATCH);
  EXPECT_EQ(ParsePolicy("idle")->policy, SCHED_IDLE);
  EXPECT_EQ(ParsePolicy("fifo:50")->policy, SCHED_FIFO);
  EXPECT_EQ(ParsePolicy("fifo:50")->priority, 50);
  EXPECT_EQ(ParsePolicy("rr:1")->policy, SCHED_RR);
}

TEST(PolicyTest, OnlyFifoAndRoundRobinAreRealtime) {
  EXPECT_TRUE(ParsePolicy("fifo:1")->realtime());
  EXPECT_TRUE(ParsePolicy("rr:99")->realtime());
  EXPECT_FALSE(ParsePolicy("batch")->realtime());
}

TEST(PolicyTest, TextsRoundTrip) {
  for (const char* text : {"other", "batch", "idle", "fifo:50", "rr:10"}) {
    EXPECT_EQ(FormatPolicy(*ParsePolicy(text)), text);
  }
}

TEST(PolicyTest, BadPoliciesSayWhatToWrite) {
  for (const char* text : {"", "fast", "fifo", "fifo:", "fifo:0", "fifo:100",
                           "rr:-1", "other:5", "fifo:5x", ":5"}) {
    const auto policy = ParsePolicy(text);
    ASSERT_FALSE(policy.ok()) << text;
    EXPECT_EQ(policy.error().code, ErrorCode::kInvalid);
    EXPECT_THAT(policy.error().message, HasSubstr("write e.g. fifo:50"));
  }
}

TEST(PolicyTest, APriorityOutsideThePolicyIsRefused) {
  EXPECT_EQ(SetPolicy(0, SCHED_OTHER, 5), EINVAL);
}

TEST(AffinityTest, CpusThatCannotExistAreRefused) {
  const int negative[] = {-1};
  EXPECT_EQ(SetAffinity(0, negative, 1), EINVAL);
  const int huge[] = {CPU_SETSIZE};
  EXPECT_EQ(SetAffinity(0, huge, 1), EINVAL);
  EXPECT_EQ(SetAffinity(0, nullptr, 0), EINVAL);
}

}  // namespace
}  // namespace edgewise
