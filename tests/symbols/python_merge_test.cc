#include "symbols/python_merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

namespace edgewise::symbols {
namespace {

using Frames = FrameNamer::Frames;
using Role = FrameNamer::Role;
using ::testing::ElementsAre;

// Native frames have ids below 100, Python's from 100 on.
class PythonMergeTest : public ::testing::Test {
 protected:
  // Outermost first; turned round as the unwinder finds them.
  std::vector<int32_t> Merge(
      const std::vector<std::pair<int32_t, Role>>& native,
      const std::vector<PythonFrame>& python, bool complete = true) {
    std::deque<Frames> frames;
    std::vector<const Frames*> innermost_first;
    for (auto one = native.rbegin(); one != native.rend(); ++one) {
      frames.push_back({{one->first}, one->second});
      innermost_first.push_back(&frames.back());
    }
    const std::vector<PythonFrame> reversed(python.rbegin(), python.rend());
    return MergePython(innermost_first, reversed, complete);
  }
};

TEST_F(PythonMergeTest, TheEvaluatorBecomesTheFunctionsItRuns) {
  EXPECT_THAT(Merge({{1, Role::kInterpreter},
                     {2, Role::kStartUp},
                     {3, Role::kInterpreter},
                     {4, Role::kEvaluator},
                     {5, Role::kInterpreter},
                     {6, Role::kOther}},
                    {{100, true}, {101, false}, {102, false}}),
              ElementsAre(100, 101, 102, 6));
}

TEST_F(PythonMergeTest, LibrariesThatCallBackLieBetweenTheirCallers) {
  EXPECT_THAT(Merge({{1, Role::kEvaluator},
                     {2, Role::kOther},
                     {3, Role::kInterpreter},
                     {4, Role::kEvaluator},
                     {5, Role::kStartUp}},
                    {{100, true}, {101, false}, {102, true}}),
              ElementsAre(100, 101, 2, 102, 5));
}

TEST_F(PythonMergeTest, InnermostBuiltinsStay) {
  EXPECT_THAT(Merge({{1, Role::kBuiltin},
                     {2, Role::kEvaluator},
                     {3, Role::kInterpreter},
                     {4, Role::kBuiltin},
                     {5, Role::kStartUp}},
                    {{100, true}}),
              ElementsAre(100, 4, 5));
}

TEST_F(PythonMergeTest, ProgramsThatEmbedPythonKeepTheirOwnFrames) {
  EXPECT_THAT(Merge({{1, Role::kStartUp},
                     {2, Role::kOther},
                     {3, Role::kInterpreter},
                     {4, Role::kEvaluator}},
                    {{100, true}}),
              ElementsAre(2, 100));
}

TEST_F(PythonMergeTest, MorePythonThanEvaluatorsLosesNothing) {
  // Deeper by the time Python's frames were read.
  EXPECT_THAT(Merge({{1, Role::kEvaluator}, {2, Role::kInterpreter}},
                    {{100, true}, {101, true}, {102, true}}),
              ElementsAre(100, 101, 102));
  EXPECT_THAT(Merge({{1, Role::kEvaluator}, {2, Role::kOther}},
                    {{100, true}, {101, true}}),
              ElementsAre(100, 101, 2));
}

TEST_F(PythonMergeTest, FewerPythonThanEvaluatorsDropsTheEvaluators) {
  EXPECT_THAT(Merge({{1, Role::kEvaluator},
                     {2, Role::kOther},
                     {3, Role::kEvaluator},
                     {4, Role::kOther}},
                    {{100, true}}),
              ElementsAre(100, 2, 4));
}

TEST_F(PythonMergeTest, ACutNativeStackIsMatchedFromTheInnermostOn) {
  EXPECT_THAT(Merge({{1, Role::kOther}, {2, Role::kEvaluator}},
                    {{100, true}, {101, true}, {102, true}}, false),
              ElementsAre(100, 101, 1, 102));
}

TEST_F(PythonMergeTest, WithoutAnyInterpreterFramesPythonComesFirst) {
  EXPECT_THAT(
      Merge({{1, Role::kOther}, {2, Role::kOther}}, {{100, true}, {101, true}}),
      ElementsAre(100, 101, 1, 2));
}

}  // namespace
}  // namespace edgewise::symbols
