#include "server/scheduler.h"

#include <gmock/gmock.h>

#include "base/clock.h"

namespace edgewise {
namespace {

using testing::HasSubstr;
namespace orc = orchestration;

constexpr int64_t kGiB = int64_t{1} << 30;

std::map<std::string, std::string> Words(const std::string& app,
                                         const std::string& rate,
                                         const std::string& promise,
                                         const char* between = "/") {
  const std::string own = std::string("edgewise") + between;
  return {{own + "app", app}, {own + "rate", rate}, {own + "promise", promise}};
}

class SchedulerTest : public testing::Test {
 protected:
  static SchedulerSettings Settings() {
    SchedulerSettings settings;
    settings.pressures = orc::AssumedPressures();
    for (const auto& [name, bytes] :
         std::vector<std::pair<std::string, int64_t>>{{"edge-1", 2 * kGiB},
                                                      {"edge-2", 2 * kGiB},
                                                      {"small", kGiB / 64}}) {
      orc::Server server;
      server.name = name;
      server.memory_bytes = bytes;
      settings.servers.push_back(server);
    }
    return settings;
  }
  static std::string App() { return orc::AssumedPressures().apps[0].name; }

  Scheduler FromPods(std::vector<cluster::PodState> pods) {
    pods_ = std::move(pods);
    return Scheduler(Settings(),
                     std::make_unique<cluster::ClusterWatch>(
                         [this]() -> Result<cluster::ClusterState> {
                           cluster::ClusterState state;
                           state.taken_ns = MonotonicNs();
                           state.pods = pods_;
                           return state;
                         },
                         std::chrono::hours(1)),
                     nullptr);
  }
  static ExtenderArgs Asked(std::map<std::string, std::string> words) {
    ExtenderArgs args;
    args.pod = "default/new";
    args.annotations = std::move(words);
    args.nodes = {"edge-1", "edge-2", "small", "unknown"};
    args.names_only = true;
    return args;
  }

  std::vector<cluster::PodState> pods_;
};

TEST_F(SchedulerTest, EmptyNodesAreAlikeAndSmallOnesHopeless) {
  Scheduler scheduler = FromPods({});
  const auto verdicts =
      scheduler.Judge(Asked(Words(App(), "1", "p95 within 5000 ms")), false);
  ASSERT_TRUE(verdicts) << verdicts.error().message;
  EXPECT_TRUE((*verdicts)[0].fits);
  EXPECT_EQ((*verdicts)[0].score, (*verdicts)[1].score);
  EXPECT_GT((*verdicts)[0].score, 5);
  EXPECT_FALSE((*verdicts)[2].fits);
  EXPECT_TRUE((*verdicts)[2].hopeless);
  EXPECT_THAT((*verdicts)[2].why_not, HasSubstr("it needs"));
  EXPECT_TRUE((*verdicts)[3].hopeless);
  EXPECT_THAT((*verdicts)[3].why_not, HasSubstr("servers.yaml"));
}

TEST_F(SchedulerTest, WhatRunsTakesRoom) {
  auto words = Words(App(), "1", "p95 within 5000 ms", "_");
  words["edgewise_memory"] = "2Gi";
  Scheduler scheduler = FromPods({{"default/old", "edge-1", words}});
  const auto verdicts =
      scheduler.Judge(Asked(Words(App(), "1", "p95 within 5000 ms")), false);
  ASSERT_TRUE(verdicts) << verdicts.error().message;
  EXPECT_FALSE((*verdicts)[0].fits);
  EXPECT_FALSE((*verdicts)[0].hopeless);
  EXPECT_THAT((*verdicts)[0].why_not, HasSubstr("are free"));
  EXPECT_TRUE((*verdicts)[1].fits);
}

TEST_F(SchedulerTest, PodsWithImpossibleMemoryFillTheirNode) {
  auto words = Words(App(), "1", "p95 within 5000 ms", "_");
  words["edgewise_memory"] = "9000000000000000000";
  Scheduler scheduler = FromPods({{"default/a", "edge-1", words},
                                  {"default/b", "edge-1", words},
                                  {"default/c", "edge-1", words}});
  const auto verdicts =
      scheduler.Judge(Asked(Words(App(), "1", "p95 within 5000 ms")), false);
  ASSERT_TRUE(verdicts) << verdicts.error().message;
  EXPECT_FALSE((*verdicts)[0].fits);
  EXPECT_TRUE((*verdicts)[1].fits);
}

TEST_F(SchedulerTest, ANeighboursPromiseIsKept) {
  const orc::PressureModel model(orc::AssumedPressures());
  const orc::Load load{0, 1, 1};
  const auto alone = model.Predict(load, 0, model.Felt(0, load, 0), 0.95, 0.9);
  ASSERT_TRUE(alone);
  const std::string barely =
      "p95 within " + std::to_string(alone->high_ns / 1e6 * 1.0001) + " ms";
  Scheduler scheduler =
      FromPods({{"default/old", "edge-2", Words(App(), "1", barely, "_")}});
  const auto verdicts =
      scheduler.Judge(Asked(Words(App(), "1", "p95 within 5000 ms")), false);
  ASSERT_TRUE(verdicts) << verdicts.error().message;
  EXPECT_TRUE((*verdicts)[0].fits);
  EXPECT_FALSE((*verdicts)[1].fits);
  EXPECT_EQ((*verdicts)[1].why_not, "default/old would break its promise");
}

TEST_F(SchedulerTest, APodThatWasJustScoredCountsUntilItIsSeen) {
  Scheduler scheduler = FromPods({});
  auto words = Words(App(), "1", "p95 within 5000 ms");
  words["edgewise/memory"] = "1500Mi";
  ExtenderArgs first = Asked(words);
  first.pod = "default/first";
  first.nodes = {"edge-1", "edge-2"};
  ASSERT_TRUE(scheduler.Judge(first, true));
  const auto again = scheduler.Judge(first, false);
  ASSERT_TRUE(again);
  EXPECT_TRUE((*again)[0].fits) << "it does not stand in its own way";
  // Asked once more, it stands nowhere until it is scored again.
  ASSERT_TRUE(scheduler.Judge(first, true));
  const auto next = scheduler.Judge(Asked(words), false);
  ASSERT_TRUE(next);
  EXPECT_FALSE((*next)[0].fits);
  EXPECT_TRUE((*next)[1].fits);
}

TEST_F(SchedulerTest, OtherPodsAreNotJudged) {
  Scheduler scheduler = FromPods({});
  const auto verdicts = scheduler.Judge(Asked({{"app", "nginx"}}), false);
  ASSERT_TRUE(verdicts);
  for (const NodeVerdict& verdict : *verdicts) {
    EXPECT_TRUE(verdict.fits);
    EXPECT_EQ(verdict.score, 0);
  }
}

TEST_F(SchedulerTest, APodThatNobodyUnderstandsClosesItsNode) {
  Scheduler scheduler =
      FromPods({{"default/odd",
                 "edge-1",
                 {{"edgewise_app", "mystery"},
                  {"edgewise_rate", "1"},
                  {"edgewise_promise", "p95 within 80 ms"}}},
                {"default/bad", "edge-2", {{"edgewise_app", App()}}}});
  const auto verdicts =
      scheduler.Judge(Asked(Words(App(), "1", "p95 within 5000 ms")), false);
  ASSERT_TRUE(verdicts) << verdicts.error().message;
  EXPECT_THAT((*verdicts)[0].why_not, HasSubstr("mystery"));
  EXPECT_THAT((*verdicts)[1].why_not, HasSubstr("edgewise/rate"));
}

TEST_F(SchedulerTest, WrongAnnotationsAreNamed) {
  Scheduler scheduler = FromPods({});
  for (const auto& [words, part] :
       std::vector<std::pair<std::map<std::string, std::string>, std::string>>{
           {Words(App(), "-1", "p95 within 80 ms"), "edgewise/rate"},
           {Words(App(), "nan", "p95 within 80 ms"), "edgewise/rate"},
           {Words(App(), "1", "soon"), "edgewise/promise"},
           {Words("mystery", "1", "p95 within 80 ms"),
            "contend sensitivity"}}) {
    const auto verdicts = scheduler.Judge(Asked(words), false);
    ASSERT_FALSE(verdicts) << part;
    EXPECT_THAT(verdicts.error().message, HasSubstr(part));
  }
}

TEST_F(SchedulerTest, WithoutAStateNothingIsSaid) {
  Scheduler scheduler(Settings(),
                      std::make_unique<cluster::ClusterWatch>(
                          []() -> Result<cluster::ClusterState> {
                            return Error{ErrorCode::kUnsupported, "it is away"};
                          },
                          std::chrono::hours(1)),
                      nullptr);
  const auto verdicts =
      scheduler.Judge(Asked(Words(App(), "1", "p95 within 80 ms")), false);
  ASSERT_FALSE(verdicts);
  EXPECT_THAT(verdicts.error().message, HasSubstr("it is away"));
  EXPECT_TRUE(scheduler.WhyNotReady());
}

}  // namespace
}  // namespace edgewise
