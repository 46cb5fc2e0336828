#include "project/chosen_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stored_runs.h"
#include "temporary_folder.h"

namespace edgewise {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ChosenRunsTest : public ProjectTest {
 protected:
  // A Run of an experiment.
  edgewise::Run Of(edgewise::Run run, const std::string& experiment,
                   const std::string& group, const std::string& role = "") {
    run.experiment = experiment;
    run.group = group;
    run.group_role = role;
    return run;
  }
  ChosenRuns Choose(const std::vector<std::string>& references = {}) {
    const auto folder = ReadProjectFolder(folder_);
    EXPECT_TRUE(folder.ok());
    const auto chosen = ChooseRuns(*store_, *folder, references);
    EXPECT_TRUE(chosen.ok()) << chosen.error().message;
    return chosen ? *chosen : ChosenRuns{};
  }
  void WriteCard(const std::string& id) {
    Write("cards/camera.yaml",
          "name: camera\ncommand: build/camera --period 20\n"
          "evidence: {runs: [\"" +
              id + "\"]}\n");
  }
};

std::vector<std::string> Ids(const std::vector<Run>& runs) {
  std::vector<std::string> ids;
  for (const Run& run : runs) {
    ids.push_back(run.id);
  }
  return ids;
}

TEST(ProgramOfTest, TheScriptOfAnInterpreterIsTheProgram) {
  EXPECT_EQ(ProgramOf({}), "");
  EXPECT_EQ(ProgramOf({"build/camera", "--max"}), "camera");
  EXPECT_EQ(ProgramOf({"/usr/bin/python3", "-B", "p/audio.py", "x"}),
            "audio.py");
  EXPECT_EQ(ProgramOf({"python3"}), "python3");
}

TEST_F(ChosenRunsTest, EvidenceOfCardsIsTakenAndWhatIsGoneIsKnown) {
  Keep(*store_, SomeRun("aaaaaaaaaaaa", "build/camera --period 20", 0));
  Keep(*store_, SomeRun("bbbbbbbbbbbb", "build/camera --period 20", 1));
  Write("cards/camera.yaml",
        "name: camera\nevidence: {runs: [\"bbbbbbbbbbbb\", "
        "\"cccccccccccc\"]}\n");
  const ChosenRuns chosen = Choose();
  EXPECT_THAT(Ids(chosen.evidence), ElementsAre("bbbbbbbbbbbb"));
  EXPECT_THAT(chosen.gone, ElementsAre("cccccccccccc"));
  EXPECT_THAT(chosen.named, IsEmpty());
}

TEST_F(ChosenRunsTest, TheLatestSweepOfEachProgramAndKnobsOfTheCardsIsTaken) {
  Keep(*store_, SomeRun("aaaaaaaaaaaa", "build/camera --period 20", 0));
  WriteCard("aaaaaaaaaaaa");
  const auto sweep = [&](const char* id, const char* command, const char* what,
                         const char* group) {
    Keep(*store_, Of(SomeRun(id, command, 1), what, group, "threads=1"));
  };
  sweep("000000000001", "build/camera", "sweep seed=1 threads=1,2", "old");
  sweep("000000000002", "build/camera", "sweep seed=1 threads=1,2", "new");
  sweep("000000000003", "build/camera", "sweep seed=1 quota=1,2", "quota");
  sweep("000000000004", "./stranger", "sweep seed=1 threads=1,2", "stranger");
  EXPECT_THAT(Choose().sweeps, ElementsAre("quota", "new"));
  // One by name comes first, and stands for its kind.
  EXPECT_THAT(Choose({"000000000001"}).sweeps, ElementsAre("old", "quota"));
  EXPECT_THAT(Choose({"000000000004"}).sweeps,
              ElementsAre("stranger", "quota", "new"));
}

TEST_F(ChosenRunsTest, WithoutCardsTheLatestSweepIsTaken) {
  Keep(*store_, Of(SomeRun("000000000001", "./a", 1),
                   "sweep seed=1 threads=1,2", "first", "threads=1"));
  Keep(*store_, Of(SomeRun("000000000002", "./b", 2),
                   "sweep seed=1 threads=1,2", "second", "threads=1"));
  EXPECT_THAT(Choose().sweeps, ElementsAre("second"));
}

TEST_F(ChosenRunsTest, ExecutionsBothWaysComeBeforeOthers) {
  const auto execution = [&](const char* id, const char* group,
                             const char* role) {
    edgewise::Run run = Of(SomeRun(id, "edgewise exec plan.yaml", 1),
                           "exec plan.yaml", group, role);
    run.kind = "exec";
    Keep(*store_, run);
  };
  execution("000000000001", "both", "naive");
  execution("000000000002", "both", "planned");
  execution("000000000003", "one", "planned");
  EXPECT_THAT(Choose().executions, ElementsAre("both", "one"));
  EXPECT_THAT(Choose({"000000000003"}).executions, ElementsAre("one", "both"));
}

TEST_F(ChosenRunsTest, MessagesAreThoseOfTheLatestGroup) {
  Keep(*store_, Of(SomeRun("000000000001", "x", 1), "mqtt bench", "old"));
  Keep(*store_, Of(SomeRun("000000000002", "x", 2), "mqtt bench", "new"));
  Keep(*store_, Of(SomeRun("000000000003", "x", 3), "mqtt bench", "new"));
  EXPECT_THAT(Ids(Choose().mqtt), ElementsAre("000000000002", "000000000003"));
  EXPECT_THAT(Ids(Choose({"000000000001"}).mqtt), ElementsAre("000000000001"));
}

TEST_F(ChosenRunsTest, StacksAreTheLatestOfEachProgramOfTheCards) {
  Keep(*store_, SomeRun("aaaaaaaaaaaa", "build/camera --period 20", 0));
  WriteCard("aaaaaaaaaaaa");
  const auto sampled = [&](const char* id, const char* command) {
    edgewise::Run run = SomeRun(id, command, 1);
    run.conditions.stack_hz = 99;
    Keep(*store_, run);
  };
  sampled("000000000001", "build/camera");
  sampled("000000000002", "build/camera");
  sampled("000000000003", "./stranger");
  EXPECT_THAT(Ids(Choose().sampled), ElementsAre("000000000002"));
  const ChosenRuns named = Choose({"000000000003"});
  EXPECT_THAT(Ids(named.sampled), ElementsAre("000000000003", "000000000002"));
  EXPECT_THAT(Ids(named.named), ElementsAre("000000000003"));
}

TEST_F(ChosenRunsTest, ARunThatIsNotThereIsAnError) {
  const auto folder = ReadProjectFolder(folder_);
  ASSERT_TRUE(folder.ok());
  EXPECT_FALSE(ChooseRuns(*store_, *folder, {"nothing"}).ok());
}

}  // namespace
}  // namespace edgewise
