#include "experiments/sweep_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "../controls/fake_clock.h"

namespace edgewise {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

SweepRequest Request(std::vector<std::string> command,
                     std::vector<Knob> knobs) {
  SweepRequest request;
  request.base.command = std::move(command);
  request.knobs = std::move(knobs);
  return request;
}

TEST(SweepPlanTest, EveryRoundHasEveryPointOnce) {
  auto request = Request({"true", "{a}"}, {{"a", {"1", "2", "3", "4", "5"}}});
  request.repeat = 4;
  const auto plan = PlanSweep(request);
  ASSERT_TRUE(plan.ok()) << plan.error().message;
  ASSERT_EQ(plan->points.size(), 5U);
  ASSERT_EQ(plan->steps.size(), 20U);
  std::set<std::vector<size_t>> orders;
  for (size_t round = 0; round < 4; ++round) {
    std::vector<size_t> order;
    for (size_t i = 0; i < 5; ++i) {
      const SweepStep& step = plan->steps[round * 5 + i];
      EXPECT_EQ(step.repeat, static_cast<int>(round));
      order.push_back(step.point);
    }
    orders.insert(order);
    EXPECT_EQ(std::set<size_t>(order.begin(), order.end()).size(), 5U);
  }
  EXPECT_GT(orders.size(), 1U) << "all rounds have the same order";
}

TEST(SweepPlanTest, TheSeedAloneDecidesTheOrder) {
  auto request = Request({"true", "{a}"}, {{"a", {"1", "2", "3", "4", "5"}}});
  const auto order = [&request] {
    std::vector<size_t> points;
    const auto plan = PlanSweep(request);
    for (const SweepStep& step : plan->steps) {
      points.push_back(step.point);
    }
    return points;
  };
  const auto first = order();
  EXPECT_EQ(order(), first);
  request.seed = 2;
  EXPECT_NE(order(), first);
}

TEST(SweepPlanTest, KnobsOfEdgewiseAreSet) {
  const auto plan = PlanSweep(Request({"true"}, {{"cpus", {"0"}},
                                                 {"threads", {"2"}},
                                                 {"quota", {"50%"}},
                                                 {"memory", {"64Mi"}}}));
  ASSERT_TRUE(plan.ok()) << plan.error().message;
  const Conditions& c = plan->points[0].settings.conditions;
  EXPECT_THAT(c.cpus, ElementsAre(0));
  EXPECT_EQ(c.threads, 2);
  EXPECT_EQ(c.cpu_quota_cores, 0.5);
  EXPECT_EQ(c.memory_limit_bytes, int64_t{64} << 20);
  EXPECT_EQ(plan->points[0].settings.group_role,
            "cpus=0 threads=2 quota=50% memory=64Mi");
}

TEST(SweepPlanTest, ValuesReachCommandEnvironmentAndHooks) {
  auto request = Request({"true", "--n={n}"}, {{"n", {"7"}}});
  request.base.conditions.env["N"] = "<{n}>";
  request.base.conditions.prepare = "echo {n}";
  const auto plan = PlanSweep(request);
  ASSERT_TRUE(plan.ok()) << plan.error().message;
  const SessionSettings& settings = plan->points[0].settings;
  EXPECT_THAT(settings.command, ElementsAre("true", "--n=7"));
  EXPECT_EQ(settings.conditions.env.at("N"), "<7>");
  EXPECT_EQ(settings.conditions.prepare, "echo 7");
}

TEST(SweepPlanTest, LoadsBecomeFlags) {
  const auto end = PlanSweep(
      Request({"true", "x"}, {{"load", {"single", "poisson:20", "at-once"}}}));
  ASSERT_TRUE(end.ok()) << end.error().message;
  EXPECT_THAT(end->points[0].settings.command,
              ElementsAre("true", "x", "--max"));
  EXPECT_THAT(
      end->points[1].settings.command,
      ElementsAre("true", "x", "--rate", "20", "--arrivals", "poisson"));
  EXPECT_THAT(end->points[2].settings.command,
              ElementsAre("true", "x", "--arrivals", "at-once"));
  const auto placed =
      PlanSweep(Request({"true", "{load}", "x"}, {{"load", {"single"}}}));
  ASSERT_TRUE(placed.ok());
  EXPECT_THAT(placed->points[0].settings.command,
              ElementsAre("true", "--max", "x"));
}

TEST(SweepPlanTest, BadValuesAreNamed) {
  const auto refused = [](std::vector<Knob> knobs) {
    const auto plan = PlanSweep(Request({"true"}, std::move(knobs)));
    return plan.ok() ? std::string() : plan.error().message;
  };
  EXPECT_THAT(refused({{"a", {"1"}}}), HasSubstr("{a} appears nowhere"));
  EXPECT_THAT(refused({{"threads", {"0"}}}), HasSubstr("--threads"));
  EXPECT_THAT(refused({{"threads", {"two"}}}), HasSubstr("\"two\""));
  EXPECT_THAT(refused({{"quota", {"-1"}}}), HasSubstr("--quota"));
  EXPECT_THAT(refused({{"memory", {"x"}}}), HasSubstr("--memory"));
  EXPECT_THAT(refused({{"cpus", {"4095"}}}), HasSubstr("at cpus=4095: "));
  EXPECT_THAT(refused({{"load", {"poisson"}}}), HasSubstr("poisson:RATE"));
  EXPECT_THAT(refused({{"load", {"poisson:0"}}}), HasSubstr("poisson:RATE"));
  EXPECT_THAT(refused({{"threads", {}}}), HasSubstr("nothing to sweep"));
}

TEST(SweepPlanTest, ACommandThatIsNotThereIsSaidBeforeAnythingRuns) {
  const auto plan = PlanSweep(
      Request({"{p}"}, {{"p", {"true", "no-such-program-anywhere"}}}));
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(plan.error().message, HasSubstr("p=no-such-program-anywhere"));
}

TEST(SweepPlanTest, KnobsAreKeptWithTheRuns) {
  const auto request =
      Request({"true"}, {{"cpus", {"0,1", "0"}}, {"a", {"x y", "it's"}}});
  const std::vector<Knob> back = KnobsOfSweep(FormatSweep(request));
  ASSERT_EQ(back.size(), 2U);
  EXPECT_EQ(back[0].name, "cpus");
  EXPECT_THAT(back[0].values, ElementsAre("0,1", "0"));
  EXPECT_THAT(back[1].values, ElementsAre("x y", "it's"));
  EXPECT_TRUE(KnobsOfSweep("").empty());
  EXPECT_TRUE(KnobsOfSweep("contend a=1").empty());
}

TEST(SweepPlanTest, TheDigestTellsRequestsApart) {
  const auto base = Request({"true", "{a}"}, {{"a", {"1", "2"}}});
  const uint64_t digest = PlanSweep(base)->digest;
  EXPECT_EQ(PlanSweep(base)->digest, digest);
  auto other = base;
  other.repeat = 6;
  EXPECT_NE(PlanSweep(other)->digest, digest);
  other = base;
  other.knobs[0].values = {"1", "3"};
  EXPECT_NE(PlanSweep(other)->digest, digest);
  other = base;
  other.base.conditions.duration_ns = 5;
  EXPECT_NE(PlanSweep(other)->digest, digest);
}

TEST(SweepPlanTest, ClocksAreCheckedAtEveryPoint) {
  const FakeClock clock;
  auto request = Request({"true"}, {{"frequency", {"600MHz", "1.5GHz"}}});
  request.base.sysfs_root = clock.root();
  const auto plan = PlanSweep(request);
  ASSERT_TRUE(plan.ok()) << plan.error().message;
  EXPECT_EQ(plan->points[1].settings.conditions.frequency_khz, 1'500'000);
  request.knobs = {{"frequency", {"600MHz", "1.2GHz"}}};
  EXPECT_THAT(PlanSweep(request).error().message,
              AllOf(HasSubstr("at frequency=1.2GHz"), HasSubstr("1.5 GHz")));
  request.knobs = {{"frequency", {"600"}}};
  EXPECT_THAT(PlanSweep(request).error().message, HasSubstr("600MHz"));
  request.knobs = {{"frequency", {"600MHz"}}};
  request.base.sysfs_root = clock.root() / "nothing/here";
  EXPECT_EQ(PlanSweep(request).error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace edgewise
