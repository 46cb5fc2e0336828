#include "store/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/text.h"
#include "store/block.h"
#include "store/run_json.h"
#include "store/temp_home.h"

namespace edgewise {
namespace {

using ::testing::HasSubstr;

TEST(SchemaTest, ANewFileGetsTheCurrentLayout) {
  const TempHome home;
  { home.Open(); }
  const auto database = Database::Open(home.database());
  ASSERT_TRUE(database);
  EXPECT_EQ(*(*database)->QueryInt("PRAGMA user_version"),
            static_cast<int64_t>(LayoutSteps().size()));
  EXPECT_EQ(*(*database)->QueryText("PRAGMA journal_mode"), "wal");
  EXPECT_EQ(*(*database)->QueryText("PRAGMA integrity_check"), "ok");
}

TEST(SchemaTest, AnOlderLayoutIsMigratedWithItsRuns) {
  const TempHome home;
  {
    auto database = Database::Open(home.database());
    ASSERT_TRUE(database);
    ASSERT_TRUE(Migrate(**database, LayoutSteps().first(1)));
    auto insert = (*database)->Prepare(
        "INSERT INTO run(row, id, started_utc_ns, label, run_group, state, "
        "command, document) VALUES(1, 'aaaaaaaaaaaa', 5, '', '', 'done', "
        "'./app', ?1)");
    const std::string document = RunToJson(NewRun("aaaaaaaaaaaa"));
    ASSERT_TRUE(insert->BindText(1, document).Execute());
    ASSERT_TRUE(
        (*database)->Execute("INSERT INTO series(id, kind, name, unit, count) "
                             "VALUES(1048576, 0, 'frame', '', 3)"));
    auto block = (*database)->Prepare(
        "INSERT INTO block(series, count, data) VALUES(1048576, 3, ?1)");
    const std::vector<Span> spans = RegularSpans(3);
    const std::string bytes = EncodeBlock(std::span<const Span>(spans));
    ASSERT_TRUE(block->BindBlob(1, bytes).Execute());
  }
  const Store store = home.Open();
  const auto run = store.Find("aaaaaaaaaaaa");
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->state, RunState::kDone);
  const auto series = store.SeriesOf(run->id);
  ASSERT_TRUE(series) << series.error().message;
  EXPECT_EQ(series->front().summarised, 0);
  EXPECT_EQ(store.Spans(series->front().id)->size(), 3U);
}

TEST(SchemaTest, ALayoutWithoutStacksIsMigratedAndItsRunsHaveNone) {
  const TempHome home;
  {
    auto database = Database::Open(home.database());
    ASSERT_TRUE(database);
    ASSERT_TRUE(Migrate(**database, LayoutSteps().first(2)));
    auto insert = (*database)->Prepare(
        "INSERT INTO run(row, id, started_utc_ns, label, run_group, state, "
        "command, document, heartbeat_utc_ns) VALUES(1, 'aaaaaaaaaaaa', 5, '', "
        "'', 'done', './app', ?1, 6)");
    const std::string document = RunToJson(NewRun("aaaaaaaaaaaa"));
    ASSERT_TRUE(insert->BindText(1, document).Execute());
  }
  const Store store = home.Open();
  const auto stacks = store.StacksOf("aaaaaaaaaaaa");
  ASSERT_TRUE(stacks) << stacks.error().message;
  EXPECT_FALSE(stacks->has_value());
}

TEST(SchemaTest, ANewerLayoutIsRefusedAndLeftAlone) {
  const TempHome home;
  {
    Store store = home.Open();
    StoreRun(store, NewRun("aaaaaaaaaaaa"));
  }
  {
    auto database = Database::Open(home.database());
    ASSERT_TRUE((*database)->Execute("PRAGMA user_version = 99"));
  }
  const std::string before = *ReadFile(home.database());
  const auto store = Store::Open(home.path());
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(store.error().message, HasSubstr("layout 99"));
  EXPECT_THAT(store.error().message, HasSubstr("newer edgewise"));
  EXPECT_TRUE(*ReadFile(home.database()) == before);
}

TEST(SchemaTest, AFailedStepLeavesTheOldLayout) {
  const TempHome home;
  auto database = Database::Open(home.database());
  ASSERT_TRUE(Migrate(**database));
  std::vector<const char*> steps(LayoutSteps().begin(), LayoutSteps().end());
  steps.push_back("CREATE TABLE extra(x); CREATE TABLE run(x);");
  EXPECT_FALSE(Migrate(**database, steps));
  EXPECT_EQ(*(*database)->QueryInt("PRAGMA user_version"),
            static_cast<int64_t>(LayoutSteps().size()));
  EXPECT_EQ(*(*database)->QueryInt(
                "SELECT count(*) FROM sqlite_master WHERE name = 'extra'"),
            0);
}

}  // namespace
}  // namespace edgewise
