#include "project/project_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "temporary_folder.h"

namespace edgewise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kPlan =
    "tasks:\n  - {name: a, cores: \"0\", wcet_ms: 1, period_ms: 10}\n";

using ProjectFolderTest = ProjectTest;

std::vector<std::string> NamesOf(const std::vector<ArchivedFile>& files) {
  std::vector<std::string> names;
  for (const ArchivedFile& file : files) {
    names.push_back(file.name);
  }
  return names;
}

TEST_F(ProjectFolderTest, EachKindIsFoundInItsPlace) {
  Write("cards/b.yaml", "name: b\n");
  Write("cards/a.yml", "name: a\n");
  Write("cards/notes.txt", "no card");
  Write("plan.yaml", kPlan);
  Write("plan/second.yaml", kPlan);
  Write("logs/x.csv", "label,wall_ms\n");
  Write("profile_log-2.csv", "label,wall_ms\n");
  Write("other.csv", "a\n");
  Write("plots/deep/p.PNG", "png");
  Write("plots/q.svg", "<svg/>");
  Write("plots/readme.md", "no picture");
  const auto project = ReadProjectFolder(folder_);
  ASSERT_TRUE(project.ok()) << project.error().message;
  ASSERT_EQ(project->cards.size(), 2U);
  EXPECT_EQ(project->cards[0].file.name, "cards/a.yml");
  EXPECT_EQ(project->cards[1].card.name, "b");
  ASSERT_EQ(project->plans.size(), 2U);
  EXPECT_EQ(project->plans[1].file.name, "plan/second.yaml");
  EXPECT_EQ(project->plans[1].plan.tasks.size(), 1U);
  EXPECT_THAT(NamesOf(project->logs),
              ElementsAre("logs/x.csv", "profile_log-2.csv"));
  EXPECT_THAT(NamesOf(project->plots),
              ElementsAre("plots/deep/p.PNG", "plots/q.svg"));
  EXPECT_THAT(project->problems, IsEmpty());
}

TEST_F(ProjectFolderTest, WhatIsWrongIsSaidAndTheRestIsTaken) {
  Write("cards/bad.yaml", "period_ms: 1\n");
  Write("cards/good.yaml", "name: good\n");
  Write("plan.yaml", "tasks: 3\n");
  const auto project = ReadProjectFolder(folder_);
  ASSERT_TRUE(project.ok());
  EXPECT_EQ(project->cards.size(), 1U);
  EXPECT_THAT(project->plans, IsEmpty());
  EXPECT_THAT(project->problems,
              ElementsAre(HasSubstr("cards/bad.yaml"), HasSubstr("plan.yaml")));
}

TEST_F(ProjectFolderTest, APipeIsNotRead) {
  Write("logs/x.csv", "label,wall_ms\n");
  ASSERT_EQ(::mkfifo((folder_ / "logs/pipe.csv").c_str(), 0600), 0);
  const auto project = ReadProjectFolder(folder_);
  ASSERT_TRUE(project.ok());
  EXPECT_THAT(NamesOf(project->logs), ElementsAre("logs/x.csv"));
}

TEST_F(ProjectFolderTest, AnEmptyFolderHasNothing) {
  const auto project = ReadProjectFolder(folder_);
  ASSERT_TRUE(project.ok());
  EXPECT_THAT(project->cards, IsEmpty());
  EXPECT_THAT(project->logs, IsEmpty());
}

TEST_F(ProjectFolderTest, AFolderThatIsNotThereIsSaid) {
  const auto project = ReadProjectFolder(folder_ / "none");
  ASSERT_FALSE(project.ok());
  EXPECT_EQ(project.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(project.error().message, HasSubstr("edgewise init"));
}

}  // namespace
}  // namespace edgewise
