#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace edgewise
