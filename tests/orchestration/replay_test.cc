#include "orchestration/replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stats/moments.h"

namespace edgewise::orchestration {
namespace {

constexpr double kMsPerS = 1e3;

PressureFigures OneResource() {
  PressureFigures figures;
  figures.resources = {"cpu"};
  figures.ranks = {{0, 1, {1}}};
  return figures;
}

// Requests that all take as long, and feel nothing.
PressureApp AppOf(double service_ms) {
  PressureApp app;
  app.service_ms = service_ms;
  app.spread = 0;
  app.exerts = {service_ms / kMsPerS};
  app.idle = {0};
  app.feels = {1};
  return app;
}

// One that is always at work: its queue never ends.
ReplayTenant AlwaysBusy(const PressureApp& app, int replicas = 1) {
  return {&app, replicas, 2 * kMsPerS / app.service_ms, std::nullopt};
}

// Requests so rare that they hardly meet their own.
ReplayTenant Rare(const PressureApp& app) {
  return {&app, 1, 0.005 * kMsPerS / app.service_ms, std::nullopt};
}

struct Seen {
  explicit Seen(const std::vector<Answer>& answers) {
    for (const Answer& answer : answers) {
      all_ms.push_back(answer.response_s * kMsPerS);
    }
    std::sort(all_ms.begin(), all_ms.end());
  }
  double mean_ms() const { return *stats::MomentsOf(all_ms).mean(); }
  double median_ms() const { return all_ms[all_ms.size() / 2]; }
  std::vector<double> all_ms;
};

ReplaySettings For(double seconds) {
  ReplaySettings settings;
  settings.seconds = seconds;
  settings.follow_s = 1;
  return settings;
}

// What the first tenant sees.
Seen SeenOf(const PressureFigures& figures,
            const std::vector<ReplayTenant>& tenants, double cores = 1,
            double seconds = 1500) {
  return Seen(
      Replay(figures, {&figures.ranks[0], cores}, tenants, For(seconds))[0]);
}

TEST(ReplayTest, ManyReplicasOnOneCoreAreAQueueOfProcessorSharing) {
  // Its mean response is the service ÷ (1 - load), whatever the lengths of
  // services (Kleinrock 1967): short ones do not wait for long ones.
  const PressureFigures figures = OneResource();
  const PressureApp brief = AppOf(5);
  PressureApp lengthy = AppOf(20);
  lengthy.spread = 0.5;
  const std::vector<ReplayTenant> tenants = {{&brief, 150, 0.4, std::nullopt},
                                             {&lengthy, 75, 0.2, std::nullopt}};
  const auto answers =
      Replay(figures, {&figures.ranks[0], 1.0}, tenants, For(2000));
  const double load = 75 * (0.8 * 0.005 + 0.2 * 0.020);
  ASSERT_NEAR(load, 0.6, 1e-12);
  EXPECT_NEAR(Seen(answers[0]).mean_ms(), 5 / (1 - load),
              0.07 * 5 / (1 - load));
  EXPECT_NEAR(Seen(answers[1]).mean_ms(), 20 / (1 - load),
              0.07 * 20 / (1 - load));
}

TEST(ReplayTest, BesideOneThatIsAlwaysAtWorkARequestHasHalfACore) {
  const PressureFigures figures = OneResource();
  const PressureApp app = AppOf(10);
  const PressureApp busy = AppOf(40);
  EXPECT_NEAR(SeenOf(figures, {Rare(app), AlwaysBusy(busy)}).median_ms(), 20,
              1e-6);
  EXPECT_NEAR(SeenOf(figures, {Rare(app), AlwaysBusy(busy, 3)}).median_ms(), 40,
              1e-6);
  EXPECT_NEAR(SeenOf(figures, {Rare(app), AlwaysBusy(busy)}, 2).median_ms(), 10,
              1e-6)
      << "there is a core for each";
}

TEST(ReplayTest, AWokenRequestWaitsForTheSlicesOfThoseAtWork) {
  PressureFigures figures = OneResource();
  figures.slice_ms = 4;
  const PressureApp app = AppOf(10);
  const PressureApp busy = AppOf(40);
  EXPECT_NEAR(SeenOf(figures, {Rare(app), AlwaysBusy(busy)}).mean_ms(), 20 + 4,
              1);
  EXPECT_NEAR(SeenOf(figures, {Rare(app), AlwaysBusy(busy, 3)}).mean_ms(),
              40 + 12, 2.5);
  EXPECT_NEAR(SeenOf(figures, {Rare(app)}).mean_ms(), 10, 0.2)
      << "nobody is before it";
}

TEST(ReplayTest, NoCoreIsFreeWhileSomebodyWaitsForASlice) {
  // Slices without end are a queue in which nobody is interrupted; at half
  // load its mean wait is half a service (Pollaczek and Khinchine).
  PressureFigures figures = OneResource();
  figures.slice_ms = 1e6;
  const PressureApp app = AppOf(10);
  EXPECT_NEAR(
      SeenOf(figures, {{&app, 200, 0.25, std::nullopt}}, 1, 800).mean_ms(), 15,
      0.6);
}

TEST(ReplayTest, CachesAreWarmOnlyForAReplicaThatIsAlone) {
  const PressureFigures figures = OneResource();
  PressureApp app = AppOf(10);
  app.cpu_ms = 12;
  app.warm = 0.5;
  const PressureApp other = AppOf(1);
  EXPECT_NEAR(SeenOf(figures, {Rare(app)}).median_ms(), 6, 1e-6);
  EXPECT_NEAR(
      SeenOf(figures, {Rare(app), {&other, 1, 0.01, std::nullopt}}).median_ms(),
      12, 1e-6);
}

TEST(ReplayTest, OtherResourcesAreFeltFromOtherCoresOnly) {
  PressureFigures figures = OneResource();
  figures.resources = {"cpu", "cache"};
  figures.ranks = {{0, 1, {1, 1}}};
  PressureApp app = AppOf(10);
  app.exerts = {0.01, 0};
  app.idle = {0, 0};
  app.feels = {1, 1};
  PressureApp busy = AppOf(40);
  busy.exerts = {0.04, 0.02};  // half of the cache while at work
  busy.idle = {0, 0};
  busy.feels = {1, 0};
  const std::vector<ReplayTenant> tenants = {Rare(app), AlwaysBusy(busy)};
  EXPECT_NEAR(SeenOf(figures, tenants, 2).median_ms(), 15, 1e-6);
  EXPECT_NEAR(SeenOf(figures, tenants, 1).median_ms(), 20, 1e-6);
  app.cpu_ms = 10;
  EXPECT_NEAR(SeenOf(figures, tenants, 2).median_ms(), 10, 1e-6)
      << "it was measured beside others";
}

TEST(ReplayTest, ASlowerServerHasAsManyCores) {
  PressureFigures figures = OneResource();
  figures.ranks = {{3, 0.5, {0.5}}};
  const PressureApp app = AppOf(10);
  const PressureApp busy = AppOf(40);
  const ReplayServer server{&figures.ranks[0], std::nullopt};
  const auto answers =
      Replay(figures, server, {Rare(app), AlwaysBusy(busy)}, For(1500));
  EXPECT_NEAR(Seen(answers[0]).median_ms(), 2 * 20, 1e-6);
}

TEST(ReplayTest, AQuotaIsABudgetForEachPeriod) {
  // 80 ms of work with 50 ms in every 100 ms. By when in a period it begins: a
  // pause of up to 50 ms, none, or one of 50 ms.
  const PressureFigures figures = OneResource();
  const PressureApp app = AppOf(80);
  ReplayTenant tenant{&app, 1, 0.05, 0.5};
  const Seen seen = SeenOf(figures, {tenant}, 1, 40'000);
  EXPECT_NEAR(seen.mean_ms(), 107.5, 2.5);
  EXPECT_NEAR(seen.all_ms.front(), 80, 0.1);
  tenant.quota_cores = 1;
  EXPECT_NEAR(SeenOf(figures, {tenant}, 1, 10'000).mean_ms(), 80, 1);
}

TEST(ReplayTest, AnswersAreWaitedForAsLongAsAsked) {
  const PressureFigures figures = OneResource();
  const PressureApp app = AppOf(3000);
  ReplaySettings settings;
  settings.warmup_s = 0;
  settings.seconds = 1;
  const ReplayServer server{&figures.ranks[0], 1.0};
  const std::vector<ReplayTenant> tenants = {{&app, 20, 1, std::nullopt}};
  const auto answered = [](const std::vector<Answer>& answers) {
    return std::count_if(
        answers.begin(), answers.end(),
        [](const Answer& answer) { return std::isfinite(answer.response_s); });
  };
  const auto cut_off = Replay(figures, server, tenants, settings)[0];
  ASSERT_GT(cut_off.size(), 5u);
  EXPECT_EQ(answered(cut_off), 0);
  settings.follow_s = 1000;
  const auto all = Replay(figures, server, tenants, settings)[0];
  EXPECT_EQ(all.size(), cut_off.size());
  EXPECT_EQ(answered(all), static_cast<int64_t>(all.size()));
}

}  // namespace
}  // namespace edgewise::orchestration
