// What is refused, what is advised, and what becomes of a card.
#include "experiments/contend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/contend_advice.h"
#include "experiments/contend_card.h"

namespace edgewise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ContendRequest Request() {
  ContendRequest request;
  request.apps = {{"a", {"/bin/true"}, "", std::nullopt}};
  return request;
}

TEST(CheckContendTest, AnOrdinaryRequestIsFine) {
  EXPECT_TRUE(CheckContend(Request()).ok());
}

TEST(CheckContendTest, WithoutAnAppItSaysHowToNameOne) {
  ContendRequest request = Request();
  request.apps.clear();
  const Result<void> checked = CheckContend(request);
  ASSERT_FALSE(checked.ok());
  EXPECT_THAT(checked.error().message, HasSubstr("--app"));
}

TEST(CheckContendTest, NamesAreUnique) {
  ContendRequest request = Request();
  request.beside = request.apps;
  const Result<void> checked = CheckContend(request);
  ASSERT_FALSE(checked.ok());
  EXPECT_THAT(checked.error().message, HasSubstr("\"a\""));
}

TEST(CheckContendTest, ACommandThatIsNotThereIsNamedWithItsApp) {
  ContendRequest request = Request();
  request.apps[0].command = {"/nowhere/app"};
  const Result<void> checked = CheckContend(request);
  ASSERT_FALSE(checked.ok());
  EXPECT_EQ(checked.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(checked.error().message, HasSubstr("a: \"/nowhere/app\""));
}

TEST(CheckContendTest, CoresThatMayNotBeUsedAreRefused) {
  ContendRequest request = Request();
  request.conditions.cpus = {1'000};
  const Result<void> checked = CheckContend(request);
  ASSERT_FALSE(checked.ok());
  EXPECT_THAT(checked.error().message, HasSubstr("choose from"));
}

TEST(CheckContendTest, DialsAndTimesThatCannotBeAreRefused) {
  ContendRequest request = Request();
  request.dials = {0};
  EXPECT_FALSE(CheckContend(request).ok());
  request.dials = {100.5};
  EXPECT_FALSE(CheckContend(request).ok());
  request = Request();
  request.conditions.warmup_ns = request.conditions.duration_ns;
  EXPECT_FALSE(CheckContend(request).ok());
}

SlowDown Slow(const std::string& actor, std::vector<std::string> beside,
              double ratio, stats::Verdict verdict) {
  SlowDown slow_down{actor, std::move(beside), {}, {}, {}, {ratio}, {}};
  slow_down.p50.ratio = ratio;
  slow_down.p50.verdict = verdict;
  return slow_down;
}

TEST(ContendAdviceTest, TheWorstPressureIsNamedInWords) {
  EXPECT_THAT(
      ContendAdvice(
          {"image"},
          {Slow("image", {"bandwidth:100"}, 1.42, stats::Verdict::kSlower),
           Slow("image", {"cpu:50"}, 1.05, stats::Verdict::kSlower),
           Slow("image", {"cache:100"}, 9, stats::Verdict::kNoDifference)}),
      ElementsAre("image suffers most beside memory bandwidth pressure: p50 "
                  "1.42× at 100%"));
}

TEST(ContendAdviceTest, ABadPairIsToBeKeptApart) {
  const auto advice = ContendAdvice(
      {"a", "b"}, {Slow("a", {"b"}, 1.8, stats::Verdict::kSlower),
                   Slow("b", {"a"}, 1.0, stats::Verdict::kNoDifference)});
  ASSERT_EQ(advice.size(), 3u);
  EXPECT_THAT(advice[1], HasSubstr("b was not shown to suffer"));
  EXPECT_THAT(advice[2], HasSubstr("keep a and b apart"));
}

TEST(ContendAdviceTest, TooFewItemsAreNotTakenForHarmlessness) {
  const auto advice = ContendAdvice(
      {"a"}, {Slow("a", {"b"}, 1.8, stats::Verdict::kInsufficient)});
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_THAT(advice[0], HasSubstr("too few items"));
}

TEST(ContendAdviceTest, WithoutFiguresThereIsNoAdvice) {
  EXPECT_THAT(ContendAdvice({"a"}, {}), IsEmpty());
}

TEST(ContendCardTest, TheWorstCompanyIsWritten) {
  ContendReport report;
  ContendApp app;
  app.name = "a";
  app.alone.p50_ns = stats::Estimate{10e6, {}, {}};
  app.alone.p95_ns = stats::Estimate{12.3456e6, {}, {}};
  app.alone.runs = {"r1"};
  report.apps = {app};
  for (const auto& [beside, p95_ns] :
       {std::pair("b", 15e6), std::pair("cache:50", 25e6),
        std::pair("c", 20e6)}) {
    SlowDown slow_down{"a", {beside}, {}, {}, {}, {}, {}};
    slow_down.contended.p50_ns = stats::Estimate{p95_ns / 2, {}, {}};
    slow_down.contended.p95_ns = stats::Estimate{p95_ns, {}, {}};
    slow_down.contended.runs = {beside};
    report.slow_downs.push_back(slow_down);
  }
  Card card;
  card.name = "kept";
  card.period_ms = 100;
  FillContention(report, "a", card);
  EXPECT_EQ(card.name, "kept");
  EXPECT_EQ(card.period_ms, 100);
  ASSERT_TRUE(card.isolated && card.contended);
  EXPECT_EQ(card.isolated->p95_ms, 12.346);
  EXPECT_EQ(card.isolated->beside, "");
  EXPECT_EQ(card.contended->beside, "cache:50");
  EXPECT_EQ(card.contended->p95_ms, 25);
  EXPECT_THAT(card.contended->runs, ElementsAre("cache:50"));
}

TEST(ContendCardTest, NothingMeasuredChangesNothing) {
  Card card;
  card.isolated = CardContention{1, 2, "", {"old"}};
  FillContention({}, "a", card);
  EXPECT_EQ(card.isolated->p50_ms, 1);
  EXPECT_FALSE(card.contended);
}

}  // namespace
}  // namespace edgewise
