#include "load/schedule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace edgewise::apps {
namespace {

std::vector<int64_t> Offsets(const LoadOptions& options, int count) {
  Schedule schedule(options);
  std::vector<int64_t> offsets;
  for (int i = 0; i < count; ++i) {
    offsets.push_back(schedule.NextOffsetNs());
  }
  return offsets;
}

LoadOptions Options(Arrivals arrivals, double gap_ns, uint64_t seed = 1) {
  LoadOptions options;
  options.arrivals = arrivals;
  options.gap_ns = gap_ns;
  options.seed = seed;
  return options;
}

TEST(ScheduleTest, EvenStartsDoNotDrift) {
  // 30 a second: a gap of 33,333,333.3 ns, rounded once at most.
  const auto offsets = Offsets(Options(Arrivals::kEven, 1e9 / 30), 301);
  EXPECT_EQ(offsets[0], 0);
  EXPECT_EQ(offsets[1], 33'333'333);
  EXPECT_EQ(offsets[2], 66'666'667);
  EXPECT_EQ(offsets[300], 10'000'000'000);
}

TEST(ScheduleTest, AllAtOnceAreDueAtTheStart) {
  EXPECT_EQ(Offsets(Options(Arrivals::kAtOnce, 0), 3),
            (std::vector<int64_t>{0, 0, 0}));
}

TEST(ScheduleTest, PoissonGapsHaveTheirMeanAndSpread) {
  constexpr int kCount = 20'000;
  const auto offsets = Offsets(Options(Arrivals::kPoisson, 1000), kCount + 1);
  EXPECT_EQ(offsets[0], 0);
  EXPECT_NEAR(static_cast<double>(offsets[kCount]) / kCount, 1000, 30);
  int longer = 0;
  for (int i = 0; i < kCount; ++i) {
    EXPECT_LE(offsets[i], offsets[i + 1]);
    longer += offsets[i + 1] - offsets[i] > 1000 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(longer) / kCount, std::exp(-1), 0.02);
}

TEST(ScheduleTest, PoissonArrivalsAreThoseOfTheirSeed) {
  const auto first = Offsets(Options(Arrivals::kPoisson, 1000, 1), 10);
  EXPECT_EQ(first, Offsets(Options(Arrivals::kPoisson, 1000, 1), 10));
  EXPECT_NE(first, Offsets(Options(Arrivals::kPoisson, 1000, 2), 10));
}

}  // namespace
}  // namespace edgewise::apps
