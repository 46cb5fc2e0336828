#include "prediction/load_response.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stats/random.h"

namespace edgewise {
namespace {

// Every core is shared fairly: at load u a program gets 1 - u / 2.
double FairSlowdown(double percent) { return 1 / (1 - percent / 200); }

std::vector<LoadRow> Rows(int networks, double noise) {
  stats::Random random(5);
  std::vector<LoadRow> rows;
  for (int n = 0; n < networks; ++n) {
    for (const int threads : {1, 2}) {
      for (const double load : {2.0, 25.0, 50.0, 75.0}) {
        rows.push_back({"board", "net" + std::to_string(n), threads, load,
                        10 * (1 + n) * (threads == 1 ? 1 : FairSlowdown(load)) *
                            std::exp(noise * random.Normal())});
      }
    }
  }
  return rows;
}

TEST(LoadResponseTest, FollowsWhatWasMeasured) {
  const auto response = FitLoad(Rows(4, 0));
  ASSERT_TRUE(response);
  EXPECT_NEAR(std::exp(response->LogSlowdown(50, 4)), FairSlowdown(50), 0.03);
  EXPECT_NEAR(response->LogSlowdown(50, 1), 0, 1e-9);
  EXPECT_EQ(response->LogSlowdown(0, 4), 0);
  EXPECT_EQ(response->rows, 24);
  EXPECT_EQ(response->most_load_percent, 75);
}

TEST(LoadResponseTest, MoreLoadIsNeverFaster) {
  std::vector<LoadRow> rows = Rows(3, 0.2);
  rows[3].mean_ms /= 3;
  const auto response = FitLoad(rows);
  ASSERT_TRUE(response);
  for (const int threads : {1, 8}) {
    double before = 0;
    for (double load = 0; load <= 100; load += 0.5) {
      const double now = response->LogSlowdown(load, threads);
      EXPECT_GE(now, before);
      before = now;
    }
  }
}

TEST(LoadResponseTest, TheErrorGrowsWithTheNoise) {
  const auto quiet = FitLoad(Rows(6, 0.01));
  const auto loud = FitLoad(Rows(6, 0.2));
  ASSERT_TRUE(quiet->log_error_90 && loud->log_error_90);
  EXPECT_LT(*quiet->log_error_90, 0.1);
  EXPECT_GT(*loud->log_error_90, *quiet->log_error_90);
}

TEST(LoadResponseTest, OneNetworkDoesNotTellHowWrongTheCurveIs) {
  const auto response = FitLoad(Rows(1, 0.01));
  ASSERT_TRUE(response);
  EXPECT_FALSE(response->log_error_90);
}

TEST(LoadResponseTest, NothingIsSaidWithoutAnIdleMeasurement) {
  std::vector<LoadRow> rows = Rows(3, 0.01);
  std::erase_if(rows, [](const LoadRow& row) { return row.load_percent < 20; });
  EXPECT_FALSE(FitLoad(rows));
  EXPECT_FALSE(FitLoad({}));
}

TEST(LoadResponseTest, ACurveOfOneKindOfThreadsStandsForBoth) {
  std::vector<LoadRow> rows = Rows(3, 0);
  std::erase_if(rows, [](const LoadRow& row) { return row.threads == 1; });
  const auto response = FitLoad(rows);
  ASSERT_TRUE(response);
  EXPECT_EQ(response->LogSlowdown(50, 1), response->LogSlowdown(50, 2));
}

TEST(LoadResponseTest, BeyondTheLastKnotTheLastLineGoesOn) {
  const LoadCurve curve{{0, 50, 75}, {0, 0.2, 0.4}};
  EXPECT_NEAR(curve.At(25), 0.1, 1e-12);
  EXPECT_NEAR(curve.At(100), 0.6, 1e-12);
}

}  // namespace
}  // namespace edgewise
