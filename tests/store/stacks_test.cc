#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/analysis.h"
#include "store/database.h"
#include "store/store.h"
#include "store/temp_home.h"

namespace edgewise {
namespace {

using ::testing::HasSubstr;

stacks::StackProfile ProfileOf(const std::string& function, int64_t count) {
  stacks::ProfileBuilder builder;
  stacks::Frame frame;
  frame.function = function;
  const int32_t id = builder.AddFrame(frame);
  builder.Add(builder.AddThread({1, 2, "app", "app"}), {&id, 1}, count);
  return builder.Take();
}

class StoredStacksTest : public ::testing::Test {
 protected:
  edgewise::Run StoreWithStacks(const std::string& id) {
    edgewise::Run run = NewRun(id);
    auto writer = store_.Begin(run);
    EXPECT_TRUE(writer);
    writer->SetStacks(ProfileOf("first", 1));
    writer->SetStacks(ProfileOf("second", 7));
    run.state = RunState::kDone;
    EXPECT_TRUE(writer->Finish(run));
    return run;
  }
  int64_t Rows() {
    auto database = Database::Open(home_.database());
    return *(*database)->QueryInt("SELECT count(*) FROM stacks");
  }

  TempHome home_;
  Store store_ = home_.Open();
};

TEST_F(StoredStacksTest, TheLastSetAreRead) {
  const edgewise::Run run = StoreWithStacks("aaaaaaaaaaaa");
  const auto stacks = store_.StacksOf(run.id);
  ASSERT_TRUE(stacks) << stacks.error().message;
  ASSERT_TRUE(stacks->has_value());
  EXPECT_EQ((*stacks)->total(), 7);
  EXPECT_EQ((*stacks)->frames.front().function, "second");
}

TEST_F(StoredStacksTest, ARunWithoutHasNone) {
  const edgewise::Run run = StoreRun(store_, NewRun("aaaaaaaaaaaa"));
  const auto stacks = store_.StacksOf(run.id);
  ASSERT_TRUE(stacks);
  EXPECT_FALSE(stacks->has_value());
  EXPECT_FALSE(store_.StacksOf("bbbbbbbbbbbb"));
}

TEST_F(StoredStacksTest, TheyGoWithTheirRun) {
  StoreWithStacks("aaaaaaaaaaaa");
  StoreWithStacks("bbbbbbbbbbbb");
  ASSERT_EQ(Rows(), 2);
  ASSERT_TRUE(store_.Remove("aaaaaaaaaaaa"));
  EXPECT_EQ(Rows(), 1);
  ASSERT_TRUE(store_.CollectGarbage({.keep_count = 0}, 1));
  EXPECT_EQ(Rows(), 0);
}

TEST_F(StoredStacksTest, DamageIsTold) {
  StoreWithStacks("aaaaaaaaaaaa");
  {
    auto database = Database::Open(home_.database());
    ASSERT_TRUE((*database)->Execute("UPDATE stacks SET data = x'00010203'"));
  }
  const auto stacks = store_.StacksOf("aaaaaaaaaaaa");
  ASSERT_FALSE(stacks);
  EXPECT_EQ(stacks.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(stacks.error().message, HasSubstr("stacks of a Run"));
}

TEST_F(StoredStacksTest, AnalysisRanksFunctionsAndTellsTheTimeOffTheCpu) {
  edgewise::Run run = NewRun("aaaaaaaaaaaa");
  auto writer = store_.Begin(run);
  writer->SetStacks(ProfileOf("work", 100));
  run.state = RunState::kDone;
  run.totals.wall_s = 10;
  run.totals.cpu_user_s = 2;
  run.totals.cpu_system_s = 0.5;
  ASSERT_TRUE(writer->Finish(run));
  const auto analysis = Analyse(store_, run);
  ASSERT_TRUE(analysis) << analysis.error().message;
  ASSERT_TRUE(analysis->stacks);
  EXPECT_EQ(analysis->stacks->functions.front().name, "work");
  EXPECT_DOUBLE_EQ(*analysis->stacks->off_cpu_percent, 75);
  run.totals.cpu_user_s = 30;
  EXPECT_DOUBLE_EQ(*Analyse(store_, run)->stacks->off_cpu_percent, 0);
  run.totals.wall_s.reset();
  EXPECT_FALSE(Analyse(store_, run)->stacks->off_cpu_percent);
}

TEST_F(StoredStacksTest, RunsWithStacksAreComparedByFunctions) {
  const auto store_profile = [&](const std::string& id,
                                 const stacks::StackProfile& profile) {
    edgewise::Run run = NewRun(id);
    auto writer = store_.Begin(run);
    writer->SetStacks(profile);
    run.state = RunState::kDone;
    EXPECT_TRUE(writer->Finish(run));
    return run;
  };
  const edgewise::Run a = store_profile("aaaaaaaaaaaa", ProfileOf("old", 100));
  const edgewise::Run b = store_profile("bbbbbbbbbbbb", ProfileOf("new", 100));
  const edgewise::Run none = StoreRun(store_, NewRun("cccccccccccc"));
  const auto compared = CompareRuns(store_, a, b);
  ASSERT_TRUE(compared);
  EXPECT_EQ(compared->functions.size(), 2U);
  EXPECT_THAT(compared->warnings,
              ::testing::Contains(HasSubstr("functions are compared")));
  EXPECT_TRUE(CompareRuns(store_, a, none)->functions.empty());
  const edgewise::Run both[] = {a, b, none};
  EXPECT_EQ((*PooledStacks(store_, both))->total(), 200);
  EXPECT_FALSE((*PooledStacks(store_, {&none, 1})).has_value());
}

}  // namespace
}  // namespace edgewise
