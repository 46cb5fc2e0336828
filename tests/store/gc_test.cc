#include <gtest/gtest.h>

#include "base/clock.h"
#include "store/database.h"
#include "store/temp_home.h"

namespace edgewise {
namespace {

constexpr int64_t kDayNs = 86'400 * kNsPerSecond;
constexpr int64_t kNowNs = 1000 * kDayNs;

class GcTest : public ::testing::Test {
 protected:
  // Five Runs, stored 10, 8, 6, 4 and 2 days ago, of ever older data.
  GcTest() {
    for (int i = 0; i < 5; ++i) {
      StoreRun(store_,
               NewRun(std::string(11, 'a') + std::to_string(i),
                      kNowNs - (100 + i) * kDayNs),
               RegularSpans(50'000));
    }
    auto database = Database::Open(home_.database());
    EXPECT_TRUE(
        database &&
        (*database)->Execute(
            "UPDATE run SET heartbeat_utc_ns = " + std::to_string(kNowNs) +
            " - (12 - 2 * row) * " + std::to_string(kDayNs)));
  }
  int64_t Left() { return static_cast<int64_t>(store_.List({})->size()); }

  TempHome home_;
  Store store_ = home_.Open();
};

TEST_F(GcTest, OldRunsGo) {
  const auto outcome =
      store_.CollectGarbage({.keep_age_ns = 5 * kDayNs}, kNowNs);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->removed_runs, 3);
  EXPECT_EQ(outcome->kept_runs, 2);
  EXPECT_EQ(Left(), 2);
  EXPECT_EQ(store_.Find("last~1")->id, "aaaaaaaaaaa3");
}

TEST_F(GcTest, SpaceComesBack) {
  const auto outcome = store_.CollectGarbage({.keep_count = 1}, kNowNs);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->removed_runs, 4);
  EXPECT_LT(outcome->bytes_after, outcome->bytes_before / 2);
  EXPECT_EQ(outcome->bytes_after,
            static_cast<int64_t>(std::filesystem::file_size(home_.database())))
      << "the write-ahead log is emptied too";
}

TEST_F(GcTest, TheOldestGoUntilTheSizeFits) {
  const auto all = store_.CollectGarbage({.keep_count = 100}, kNowNs);
  ASSERT_TRUE(all);
  const int64_t bytes = all->bytes_after;
  const auto outcome =
      store_.CollectGarbage({.keep_bytes = bytes * 6 / 10}, kNowNs);
  ASSERT_TRUE(outcome);
  EXPECT_LE(outcome->bytes_after, bytes * 6 / 10);
  EXPECT_GE(Left(), 2);
  EXPECT_LE(Left(), 3);
  EXPECT_EQ(store_.Find("last")->id, "aaaaaaaaaaa4");
}

TEST_F(GcTest, ADryRunOnlyTells) {
  const auto outcome = store_.CollectGarbage(
      {.keep_age_ns = 5 * kDayNs, .dry_run = true}, kNowNs);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->removed_runs, 3);
  EXPECT_EQ(outcome->kept_runs, 2);
  EXPECT_EQ(outcome->bytes_after, outcome->bytes_before);
  EXPECT_EQ(Left(), 5);
}

TEST_F(GcTest, RunsThatAreBeingWrittenStay) {
  auto writer = store_.Begin(NewRun("bbbbbbbbbbbb", kNowNs - 100 * kDayNs));
  ASSERT_TRUE(writer);
  const auto outcome = store_.CollectGarbage({.keep_bytes = 1}, kNowNs);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->kept_runs, 1);
  EXPECT_TRUE(store_.Find("bbbbbbbbbbbb"));
}

TEST_F(GcTest, WithoutARuleNothingGoes) {
  const auto outcome = store_.CollectGarbage({}, kNowNs);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->removed_runs, 0);
  EXPECT_EQ(Left(), 5);
}

}  // namespace
}  // namespace edgewise
