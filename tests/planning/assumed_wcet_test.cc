#include "planning/assumed_wcet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise {
namespace {

using testing::HasSubstr;

Card Observed(int64_t n) {
  Card card;
  card.name = "x";
  card.wcet_ms = 18;
  card.wcet_kind = WcetKind::kObservedMax;
  card.evidence.emplace();
  card.evidence->n = n;
  return card;
}

TEST(AssumedWcetTest, ABoundIsTakenWithItsGrounds) {
  Card card;
  card.wcet_ms = 4.9;
  card.wcet_kind = WcetKind::kQuantileBound;
  card.wcet_quantile = 0.99;
  card.wcet_confidence = 0.95;
  const auto wcet = AssumeWcet(card, {});
  ASSERT_TRUE(wcet);
  EXPECT_EQ(wcet->ns, 4'900'000);
  EXPECT_EQ(wcet->source, "wcet_ms (p99 bound at 95%), alone");
}

TEST(AssumedWcetTest, NeighboursStretchItByWhatTheyDidToThep95) {
  Card card;
  card.wcet_ms = 20;
  card.isolated = CardContention{10, 16, "", {}};
  card.contended = CardContention{15, 24, "dl", {}};
  auto wcet = AssumeWcet(card, {});
  ASSERT_TRUE(wcet);
  EXPECT_EQ(wcet->ns, 30'000'000);
  EXPECT_THAT(wcet->source, HasSubstr("x 1.5"));
  EXPECT_THAT(wcet->source, HasSubstr("beside dl"));
  wcet = AssumeWcet(card, {.alone = true});
  EXPECT_EQ(wcet->ns, 20'000'000);
}

TEST(AssumedWcetTest, NeverLessThanTheContendedp95) {
  Card card;
  card.wcet_ms = 20;
  card.contended = CardContention{15, 24, "dl", {}};
  const auto wcet = AssumeWcet(card, {});
  ASSERT_TRUE(wcet);
  EXPECT_EQ(wcet->ns, 24'000'000);
  EXPECT_EQ(wcet->source, "contended p95 beside dl");
}

TEST(AssumedWcetTest, NeighboursThatSpeedItUpAreNotBelieved) {
  Card card;
  card.wcet_ms = 20;
  card.isolated = CardContention{10, 16, "", {}};
  card.contended = CardContention{9, 15, "dl", {}};
  EXPECT_EQ(AssumeWcet(card, {})->ns, 20'000'000);
}

TEST(AssumedWcetTest, TheLargestOfFewSamplesIsRefusedFrom59OnItIsTaken) {
  const auto refused = AssumeWcet(Observed(58), {});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("58 samples"));
  EXPECT_THAT(refused.error().message, HasSubstr("at least 59"));
  EXPECT_THAT(refused.error().message, HasSubstr("--accept-observed"));
  EXPECT_TRUE(AssumeWcet(Observed(59), {}));
  EXPECT_TRUE(AssumeWcet(Observed(2), {.accept_observed = true}));
}

TEST(AssumedWcetTest, SamplesThatDependOnEachOtherCountAsFewer) {
  Card card = Observed(1000);
  card.evidence->n_effective = 20;
  EXPECT_FALSE(AssumeWcet(card, {}));
  card.wcet_exceedance = 0.003;
  EXPECT_TRUE(AssumeWcet(card, {})) << "the card's own statement counts";
}

TEST(AssumedWcetTest, AMaximumOfUnknownOriginIsRefused) {
  Card card = Observed(1);
  card.evidence.reset();
  EXPECT_FALSE(AssumeWcet(card, {}));
}

TEST(AssumedWcetTest, WithoutAWcetOnlyTheContendedp95AndOnlyIfAccepted) {
  Card card;
  EXPECT_FALSE(AssumeWcet(card, {.accept_observed = true}));
  card.contended = CardContention{15, 24, "dl", {}};
  const auto refused = AssumeWcet(card, {});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("one job in twenty"));
  EXPECT_EQ(AssumeWcet(card, {.accept_observed = true})->ns, 24'000'000);
}

}  // namespace
}  // namespace edgewise
