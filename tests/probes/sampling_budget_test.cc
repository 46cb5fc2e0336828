#include "probes/stacks/sampling_budget.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

// Windows of a second in which the sampler used `share` of a core each; returns
// after how many the rate should be halved, 0 for never.
int WindowsUntilExceeded(SamplingBudget* budget, double share) {
  int64_t now_ns = 5 * kNsPerSecond;
  double cpu_ns = 1e9;
  EXPECT_TRUE(budget->Due(now_ns));
  EXPECT_FALSE(budget->Exceeded(now_ns, static_cast<int64_t>(cpu_ns)));
  for (int window = 1; window <= 100; ++window) {
    EXPECT_FALSE(budget->Due(now_ns + SamplingBudget::kWindowNs - 1));
    now_ns += SamplingBudget::kWindowNs;
    cpu_ns += share * static_cast<double>(SamplingBudget::kWindowNs);
    EXPECT_TRUE(budget->Due(now_ns));
    if (budget->Exceeded(now_ns, static_cast<int64_t>(cpu_ns))) {
      return window;
    }
  }
  return 0;
}

TEST(SamplingBudgetTest, WithinItNothingChanges) {
  SamplingBudget budget(99);
  EXPECT_EQ(WindowsUntilExceeded(&budget, 0.005), 0);
}

TEST(SamplingBudgetTest, TwoWindowsAboveItAreEnough) {
  SamplingBudget budget(99);
  EXPECT_EQ(WindowsUntilExceeded(&budget, 0.010), 2);
}

TEST(SamplingBudgetTest, WhoAsksForMoreSamplesGrantsMore) {
  SamplingBudget budget(990);
  EXPECT_EQ(WindowsUntilExceeded(&budget, 0.050), 0);
  SamplingBudget slow(10);
  EXPECT_EQ(WindowsUntilExceeded(&slow, 0.005), 0);
}

TEST(SamplingBudgetTest, OneWindowAboveItIsForgiven) {
  SamplingBudget budget(99);
  int64_t cpu_ns = 0;
  for (int second = 1; second < 20; ++second) {
    cpu_ns += second % 2 == 0 ? 9'000'000 : 1'000'000;
    EXPECT_FALSE(budget.Exceeded(second * kNsPerSecond, cpu_ns));
  }
}

}  // namespace
}  // namespace edgewise
