#include "scheduling/machine_timers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise {
namespace {

using testing::HasSubstr;

MachineTimers Measured() {
  MachineTimers timers;
  timers.machine = "0123456789abcdef";
  timers.created = "2026-11-15T08:29:38Z";
  timers.realtime = true;
  timers.latency = {5000, 6'100, 41'000, 120'500, 300'001};
  timers.hand_over = {5000, 4'000, 9'000, 15'000, 80'000};
  return timers;
}

TEST(MachineTimersTest, WhatIsWrittenIsReadAgain) {
  const auto again = ReadTimers(WriteTimers(Measured()), "timers.yaml");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->machine, Measured().machine);
  EXPECT_TRUE(again->realtime);
  EXPECT_EQ(again->latency.bound_ns, 120'500);
  EXPECT_EQ(again->latency.max_ns, 300'001);
  EXPECT_EQ(again->hand_over.samples, 5000);
  EXPECT_EQ(WriteTimers(*again), WriteTimers(Measured()));
}

TEST(MachineTimersTest, PlansCountWithTheBounds) {
  const scheduling::Overheads overheads = OverheadsOf(Measured());
  EXPECT_EQ(overheads.latency_ns, 120'500);
  EXPECT_EQ(overheads.per_job_ns, 15'000);
}

TEST(MachineTimersTest, WhatIsWrongIsNamedWithItsLine) {
  const auto misspelt =
      ReadTimers("machine: ab\nlatency:\n  bound_s: 1\n", "timers.yaml");
  ASSERT_FALSE(misspelt);
  EXPECT_THAT(misspelt.error().message,
              HasSubstr("timers.yaml:3: there is no key `bound_s` in latency; "
                        "did you mean `bound_ms`?"));
  const auto negative =
      ReadTimers("machine: ab\nlatency: {bound_ms: -1}\n", "timers.yaml");
  EXPECT_FALSE(negative);
  EXPECT_FALSE(ReadTimers("realtime: true\n", "timers.yaml"));
}

}  // namespace
}  // namespace edgewise
