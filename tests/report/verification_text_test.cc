#include "report/verification_text.h"

#include <gmock/gmock.h>

#include "orchestration/generate.h"
#include "orchestration/pressure_model.h"

namespace edgewise {
namespace {

using orchestration::PromiseSeen;
using orchestration::Verdict;
using testing::HasSubstr;
using testing::Not;

class VerificationTextTest : public testing::Test {
 protected:
  void SetUp() override {
    orchestration::GenerateSettings settings;
    settings.servers = 2;
    settings.requests = 4;
    instance_ = Generate(settings, model_);
    problem_.emplace(*orchestration::Problem::Make(instance_, model_, 0.9));
  }

  static PromiseSeen Seen(Verdict verdict) {
    PromiseSeen seen;
    seen.requests = 100;
    seen.quantile_ns = 12.5e6;
    seen.low_ns = 11e6;
    seen.verdict = verdict;
    return seen;
  }
  VerifiedPlacement Placement(std::vector<PromiseSeen> measured) const {
    VerifiedPlacement placement{"edgewise", {0, 1, 0, std::nullopt}, {}, {}};
    placement.simulated = std::vector<PromiseSeen>(4, Seen(Verdict::kKept));
    placement.measured = std::move(measured);
    return placement;
  }

  orchestration::PressureModel model_{orchestration::AssumedPressures()};
  orchestration::Instance instance_;
  std::optional<orchestration::Problem> problem_;
};

TEST_F(VerificationTextTest, ATooLargePartOfBrokenPromisesIsSeen) {
  Verification verification{*problem_, 30, "", {}};
  verification.placements.push_back(
      Placement({Seen(Verdict::kKept), Seen(Verdict::kBroken),
                 Seen(Verdict::kUnknown), PromiseSeen()}));
  EXPECT_TRUE(verification.Broken());
  const std::string text = VerificationText(verification, {});
  EXPECT_THAT(text, HasSubstr("1 of 2 promises kept, 1 broken"));
  EXPECT_THAT(text, HasSubstr("12.5 [11.0, --]"));
  EXPECT_THAT(text, HasSubstr("median 1.00"));
  EXPECT_THAT(text, HasSubstr("--verify-time"));
  verification.placements[0].measured[2].needed = 1000;
  instance_.requests[2].rate_per_s = 1;
  instance_.requests[2].replicas = 1;
  EXPECT_THAT(VerificationSummary(verification),
              HasSubstr("--verify-time 18m"));
  EXPECT_THAT(VerificationJson(verification),
              HasSubstr("\"verdict\":\"broken\""));
}

TEST_F(VerificationTextTest, WhatIsTooCloseCountsOnNeitherSide) {
  Verification verification{*problem_, 30, "", {}};
  verification.placements.push_back(
      Placement({Seen(Verdict::kKept), Seen(Verdict::kClose),
                 Seen(Verdict::kKept), PromiseSeen()}));
  EXPECT_FALSE(verification.Broken());
  const std::string text = VerificationText(verification, {});
  EXPECT_THAT(text, HasSubstr("2 of 2 promises kept, 0 broken"));
  EXPECT_THAT(text, HasSubstr("1 cannot be told"));
  EXPECT_THAT(text, HasSubstr("too close to tell"));
  EXPECT_THAT(VerificationJson(verification), HasSubstr("\"not_known\":1"));
}

TEST_F(VerificationTextTest, WhatWasOnlySimulatedSaysSo) {
  Verification verification{*problem_, 30, "server1 is elsewhere", {}};
  verification.placements.push_back(Placement({}));
  EXPECT_FALSE(verification.Broken());
  const std::string text = VerificationText(verification, {});
  EXPECT_THAT(text, HasSubstr("Replayed in the simulator"));
  EXPECT_THAT(text, HasSubstr("server1 is elsewhere"));
  EXPECT_THAT(text, Not(HasSubstr("measured")));
}

TEST_F(VerificationTextTest, OthersStandBesideIt) {
  Verification verification{*problem_, 30, "", {}};
  verification.placements.push_back(
      Placement(std::vector<PromiseSeen>(4, Seen(Verdict::kKept))));
  verification.placements.push_back(
      Placement(std::vector<PromiseSeen>(4, Seen(Verdict::kBroken))));
  verification.placements.back().placed_by = "first-fit";
  EXPECT_FALSE(verification.Broken()) << "only the first counts";
  EXPECT_THAT(VerificationText(verification, {}), HasSubstr("first-fit"));
  EXPECT_EQ(VerificationTables(verification).size(), 2u);
}

}  // namespace
}  // namespace edgewise
