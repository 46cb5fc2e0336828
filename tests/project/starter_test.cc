#include "project/starter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using StarterTest = ProjectTest;

TEST_F(StarterTest, EveryFileIsThereWithItsContent) {
  const fs::path made = folder_ / "new/lab";
  const auto outcome = MakeStarter(made, false);
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  ASSERT_FALSE(StarterFiles().empty());
  for (const StarterFile& file : StarterFiles()) {
    EXPECT_THAT(outcome->made, Contains(std::string(file.path)));
    EXPECT_EQ(TryReadFile(made / file.path), file.content) << file.path;
    EXPECT_FALSE(file.content.empty()) << file.path;
  }
  for (const char* name : {"cards", "logs", "plan", "plots"}) {
    EXPECT_TRUE(fs::is_directory(made / name)) << name;
  }
}

TEST_F(StarterTest, TheScriptCanBeRun) {
  ASSERT_TRUE(MakeStarter(folder_, false).ok());
  const auto allowed = fs::status(folder_ / "profile.sh").permissions();
  EXPECT_NE(allowed & fs::perms::owner_exec, fs::perms::none);
  EXPECT_EQ(
      fs::status(folder_ / "README.md").permissions() & fs::perms::owner_exec,
      fs::perms::none);
  EXPECT_TRUE(fs::exists(folder_ / ".gitignore"));
}

TEST_F(StarterTest, AFolderWithSomethingInItIsRefused) {
  Write("mine.txt", "x");
  const auto outcome = MakeStarter(folder_, false);
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().code, ErrorCode::kInvalid);
  EXPECT_THAT(outcome.error().message, HasSubstr("--force"));
  EXPECT_FALSE(fs::exists(folder_ / "README.md"));
}

TEST_F(StarterTest, WhatIsThereIsNeverChanged) {
  Write("goals.sh", "mine");
  fs::create_symlink("nowhere", folder_ / "README.md");
  const auto outcome = MakeStarter(folder_, true);
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  EXPECT_THAT(outcome->kept, ElementsAre("README.md", "goals.sh"));
  EXPECT_EQ(*TryReadFile(folder_ / "goals.sh"), "mine");
  EXPECT_TRUE(fs::is_symlink(folder_ / "README.md"));
  EXPECT_THAT(outcome->made, Contains("profile.sh"));
  // And once more: all is there.
  const auto again = MakeStarter(folder_, true);
  ASSERT_TRUE(again.ok());
  EXPECT_THAT(again->made, IsEmpty());
  EXPECT_THAT(again->same, Contains("profile.sh"));
}

TEST_F(StarterTest, AFileIsNoFolder) {
  Write("x", "");
  const auto outcome = MakeStarter(folder_ / "x", true);
  ASSERT_FALSE(outcome.ok());
  EXPECT_THAT(outcome.error().message, HasSubstr("is a file"));
}

}  // namespace
}  // namespace edgewise
