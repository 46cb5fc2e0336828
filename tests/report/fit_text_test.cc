#include "report/fit_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/fit_page.h"
#include "report/fit_step.h"

namespace edgewise {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr int64_t kMiB = 1 << 20;

FitRequest Request(const char* target = "fps>=10") {
  FitRequest request;
  request.targets = *ParseTargets(target);
  request.cores_at_hand = 4;
  return request;
}

FitStep Step(TrialPurpose purpose, double cores, double figure, double low,
             double high, Standing standing) {
  FitStep step;
  step.purpose = purpose;
  step.trial.run_id = "0123456789ab";
  step.trial.limits.cpu_cores = cores;
  step.trial.observations = {{{figure}, 300, 0}};
  step.judgement.standing = standing;
  step.judgement.each = {
      {standing, stats::Estimate{.value = figure, .low = low, .high = high},
       0}};
  return step;
}

FitAnswer Found() {
  FitAnswer answer;
  answer.outcome = FitOutcome::kFound;
  answer.lower = {0.33, 191 * kMiB};
  answer.target = {0.35, 210 * kMiB};
  answer.upper = {0.37, 231 * kMiB};
  answer.peak_bytes = 191 * kMiB;
  answer.steps = {
      Step(TrialPurpose::kUnlimited, 4, 30, 29, 31, Standing::kMet),
      Step(TrialPurpose::kCpu, 0.33, 9.6, 9.3, 9.9, Standing::kNotMet),
      Step(TrialPurpose::kConfirm, 0.35, 10.3, 10.1, 10.5, Standing::kMet)};
  answer.steps.back().trial.limits.memory_bytes = 210 * kMiB;
  return answer;
}

TEST(FitTextTest, ATrialIsOneLine) {
  const FitAnswer answer = Found();
  EXPECT_EQ(FitStepText(answer.steps[0], Request()),
            "without limits (4 cores): 30 fps (29 to 31): met");
  EXPECT_EQ(FitStepText(answer.steps[1], Request()),
            "0.33 cores: 9.6 fps (9.3 to 9.9): not met");
  EXPECT_EQ(FitStepText(answer.steps[2], Request()),
            "confirming 0.35 cores, 210 MiB: 10.3 fps (10.1 to 10.5): met");
}

TEST(FitTextTest, TimesKeepUnitsThatDiffer) {
  const FitStep step =
      Step(TrialPurpose::kCpu, 1, 1.1e9, 9e8, 1.2e9, Standing::kUndecided);
  EXPECT_EQ(FitStepText(step, Request("p95(x)<=1s")),
            "1 core: 1.1 s (900 ms to 1.2 s): undecided");
}

TEST(FitTextTest, WhatKilledATrialIsNamed) {
  FitStep step = Step(TrialPurpose::kMemory, 1, 1, 1, 1, Standing::kNotMet);
  step.trial.limits.memory_bytes = 40 * kMiB;
  step.trial.end = TrialEnd::kOutOfMemory;
  EXPECT_EQ(FitStepText(step, Request()),
            "1 core, 40 MiB: killed for want of memory");
  step.trial.end = TrialEnd::kFailed;
  step.trial.failure = "exit code 3";
  EXPECT_EQ(FitStepText(step, Request()), "1 core, 40 MiB: exit code 3");
}

TEST(FitTextTest, AFigureWithoutAnIntervalSaysSo) {
  FitStep step = Step(TrialPurpose::kCpu, 1, 5, 4, 6, Standing::kUndecided);
  step.judgement.each[0].figure->low.reset();
  EXPECT_THAT(FitStepText(step, Request()), HasSubstr("insufficient samples"));
  step.judgement.each[0].figure.reset();
  EXPECT_THAT(FitStepText(step, Request()), HasSubstr("--"));
}

TEST(FitTextTest, TheAnswerHasItsSavingAndItsConfirmation) {
  EXPECT_THAT(
      FitSentences(Found(), Request()),
      ElementsAre("0.35 of a core and 210 MiB meet fps>=10 with 95% "
                  "confidence.",
                  "0.35 of a core instead of 1: 65% saved.",
                  "Confirmed by 1 run with all limits together: 10.3 fps (10.1 "
                  "to 10.5).",
                  HasSubstr("the largest peak seen was 191 MiB")));
}

TEST(FitTextTest, SavingsAreAgainstWholeCores) {
  FitAnswer answer = Found();
  answer.target.cpu_cores = 1.4;
  answer.cores = 2;
  const auto sentences = FitSentences(answer, Request());
  EXPECT_THAT(sentences, Contains("1.4 cores instead of 2: 30% saved."));
  EXPECT_THAT(sentences, Contains("It needs 2 cores to run on."));
}

TEST(FitTextTest, AMaximumIsNoBound) {
  EXPECT_THAT(FitSentences(Found(), Request("max(x)<=1s")),
              Contains(HasSubstr("of 300 items")));
}

TEST(FitTextTest, TheManifestIsKubernetes) {
  EXPECT_EQ(KubernetesText(Found()),
            "resources:\n"
            "  requests:\n    cpu: 350m\n    memory: 210Mi\n"
            "  limits:\n    cpu: 370m\n    memory: 231Mi\n");
  FitAnswer unconfirmed = Found();
  unconfirmed.outcome = FitOutcome::kUnconfirmed;
  EXPECT_EQ(KubernetesText(unconfirmed), "");
}

TEST(FitTextTest, WhatCannotBeMetShowsTheBest) {
  FitAnswer answer;
  answer.outcome = FitOutcome::kCannotMeet;
  answer.steps = {
      Step(TrialPurpose::kUnlimited, 4, 7, 6.9, 7.1, Standing::kNotMet)};
  EXPECT_EQ(FitText(answer, Request(), {}),
            "fps>=10 cannot be met here: with all of 4 cores it reached 7 fps "
            "(6.9 to 7.1).\n");
  EXPECT_THAT(FitTable(answer).rows, IsEmpty());
}

TEST(FitTextTest, AProgramThatFailsShowsItsLastLinesHarmlessly) {
  FitAnswer answer;
  answer.outcome = FitOutcome::kAppFailed;
  answer.steps = {
      Step(TrialPurpose::kUnlimited, 4, 7, 6, 8, Standing::kNotMet)};
  answer.steps[0].trial.end = TrialEnd::kFailed;
  answer.steps[0].trial.failure = "exit code 3";
  for (int i = 0; i < 30; ++i) {
    answer.steps[0].trial.output_tail += "line " + std::to_string(i) + "\n";
  }
  answer.steps[0].trial.output_tail += "\x1b[2Jlast\n";
  const std::string text = FitText(answer, Request(), {});
  EXPECT_THAT(text, HasSubstr("exit code 3"));
  EXPECT_THAT(text, HasSubstr("last\n"));
  EXPECT_THAT(text, Not(HasSubstr("line 3\n")));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(FitTextTest, JsonHasTheAnswerAndEveryRun) {
  const auto json = nlohmann::json::parse(FitJson(Found(), Request(), "group"));
  EXPECT_EQ(json["outcome"], "found");
  EXPECT_EQ(json["requests"]["cpu"], "350m");
  EXPECT_EQ(json["limits"]["memory"], "231Mi");
  EXPECT_EQ(json["target"]["memory_bytes"], 210 * kMiB);
  EXPECT_EQ(json["steps"].size(), 3u);
  EXPECT_EQ(json["steps"][1]["standing"], "not_met");
  EXPECT_EQ(json["steps"][1]["figures"][0]["low"], 9.3);
  EXPECT_TRUE(json["steps"][1]["memory_bytes"].is_null());
  EXPECT_TRUE(json["cores"].is_null());
}

TEST(FitTextTest, ThePageHasChartManifestAndRuns) {
  const std::string html =
      FitHtml(Found(), Request(), {"./app", "<script>alert(1)</script>"});
  EXPECT_THAT(html, HasSubstr("<svg"));
  EXPECT_THAT(html, HasSubstr("cpu: 350m"));
  EXPECT_THAT(html, HasSubstr("0.33 cores: 9.6 fps (9.3 to 9.9): not met"));
  EXPECT_THAT(html, Not(HasSubstr("<script")));
}

}  // namespace
}  // namespace edgewise
