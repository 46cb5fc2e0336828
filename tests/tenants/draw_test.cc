#include "tenants/draw.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace edgewise::tenants {
namespace {

DrawSettings Settings() {
  DrawSettings settings;
  settings.server.name = "left";
  settings.server.cpus = {0};
  settings.tenants = NineTenants();
  return settings;
}

double LoadOf(const Deployment& deployment, const ServiceTimes& times) {
  double load = 0;
  for (const Share& share : deployment.shares) {
    load +=
        share.replicas * share.rate_per_s * times.at(share.tenant.name) / 1e3;
  }
  return load;
}

TEST(DrawRandomTest, LoadsSpanTheServerAndTenantsAreDifferent) {
  const DrawSettings settings = Settings();
  const ServiceTimes times = ServiceTimesFrom({}, settings.tenants);
  stats::Random random(1);
  double least = 1;
  double most = 0;
  std::set<size_t> sizes;
  for (int i = 0; i < 300; ++i) {
    const Deployment deployment = DrawRandom(settings, times, random);
    std::set<std::string> names;
    for (const Share& share : deployment.shares) {
      EXPECT_TRUE(names.insert(share.tenant.name).second);
      EXPECT_GT(share.rate_per_s, 0);
      EXPECT_LE(share.replicas, share.tenant.most_replicas);
    }
    sizes.insert(deployment.shares.size());
    const double load = LoadOf(deployment, times);
    least = std::min(least, load);
    most = std::max(most, load);
  }
  EXPECT_LT(least, 0.3);
  EXPECT_GT(most, 0.85);
  // Rates are raised where too few requests would come, but not by much.
  EXPECT_LT(most, 1.3);
  EXPECT_THAT(sizes, testing::ElementsAre(2, 3, 4, 5, 6));
}

TEST(DrawRandomTest, QuotasAreAboveWhatTenantsNeedAndLimitThem) {
  DrawSettings settings = Settings();
  settings.quotas = 0.5;
  const ServiceTimes times = ServiceTimesFrom({}, settings.tenants);
  stats::Random random(3);
  int with = 0;
  int all = 0;
  for (int i = 0; i < 300; ++i) {
    for (const Share& share : DrawRandom(settings, times, random).shares) {
      ++all;
      if (share.quota_cores) {
        ++with;
        const double needed = share.replicas * share.rate_per_s *
                              times.at(share.tenant.name) / 1e3;
        EXPECT_GT(*share.quota_cores, needed);
        EXPECT_LE(*share.quota_cores, 1);
        EXPECT_GE(*share.quota_cores, 0.05);
      }
    }
  }
  // A few would be no limit on one core.
  EXPECT_GT(with, all * 0.35);
  EXPECT_LT(with, all * 0.5);
}

TEST(DrawRandomTest, MemoryIsNeverExceeded) {
  DrawSettings settings = Settings();
  settings.server.memory_bytes = int64_t{400} << 20;
  const ServiceTimes times = ServiceTimesFrom({}, settings.tenants);
  stats::Random random(2);
  for (int i = 0; i < 200; ++i) {
    int64_t bytes = 0;
    const Deployment drawn = DrawRandom(settings, times, random);
    for (const Share& share : drawn.shares) {
      bytes += share.replicas * share.tenant.memory_bytes;
    }
    EXPECT_FALSE(drawn.shares.empty());
    EXPECT_LE(bytes, *settings.server.memory_bytes);
  }
}

TEST(ShareOfTest, KeepsTheCoresBusyThatWereAskedFor) {
  DrawSettings settings = Settings();
  const Share share =
      ShareOf(settings.tenants.front(), 2, 0.5, settings, {{"gcn", 5}});
  EXPECT_NEAR(share.rate_per_s, 50, 1e-9);
  settings.tenants.front().most_rate_per_s = 20;
  EXPECT_EQ(ShareOf(settings.tenants.front(), 2, 0.5, settings, {{"gcn", 5}})
                .rate_per_s,
            20);
}

double MostBusy(const Deployment& deployment, const ServiceTimes& times) {
  double most = 0;
  for (const Share& share : deployment.shares) {
    most = std::max(most, share.rate_per_s * times.at(share.tenant.name) / 1e3);
  }
  return most;
}

// A replica answers one request at a time, however many cores there are.
TEST(DrawRandomTest, NoReplicaIsAskedForMoreThanItCanAnswer) {
  DrawSettings settings = Settings();
  settings.server.cpus = {0, 1, 2, 3, 4, 5, 6, 7};
  const ServiceTimes times = ServiceTimesFrom({}, settings.tenants);
  stats::Random random(4);
  double most_load = 0;
  for (int i = 0; i < 300; ++i) {
    const Deployment drawn = DrawRandom(settings, times, random);
    EXPECT_LT(MostBusy(drawn, times), 0.96);
    most_load = std::max(most_load, LoadOf(drawn, times));
  }
  EXPECT_GT(most_load, 4);
}

// Times of service are those of the clock: cores make them short, not many.
TEST(PlansTest, AReplicaOfSeveralCoresIsNotAskedForSeveralTimesAsMuch) {
  DrawSettings settings = Settings();
  settings.server.cpus = {0, 1};
  settings.tenants.resize(2);
  for (Tenant& tenant : settings.tenants) {
    tenant.cores = 4;
  }
  const ServiceTimes times = ServiceTimesFrom({}, settings.tenants);
  stats::Random random(5);
  const auto baselines =
      PlanBaselines(settings.tenants.front(), settings, times);
  ASSERT_EQ(baselines.size(), 2u);
  EXPECT_NEAR(MostBusy(baselines[0], times), 0.2, 0.01);
  EXPECT_NEAR(MostBusy(baselines[1], times), 0.6, 0.01);
  EXPECT_NEAR(MostBusy(PlanPairs(settings, times, random).front(), times), 0.3,
              0.01);
  const auto beside =
      PlanSensitivity(settings, times, {StressKind::kCpu}, {100}, random);
  EXPECT_NEAR(MostBusy(beside.front(), times), 0.2, 0.01);
  for (int i = 0; i < 100; ++i) {
    // Each busy replica takes both cores.
    EXPECT_LT(LoadOf(DrawRandom(settings, times, random), times), 1.2);
  }
}

TEST(PlansTest, ShortMeasurementsDoNotRaiseLoads) {
  DrawSettings settings = Settings();
  settings.measure_s = 0.1;
  const ServiceTimes times = ServiceTimesFrom({}, settings.tenants);
  for (const Tenant& tenant : settings.tenants) {
    const auto plan = PlanBaselines(tenant, settings, times);
    EXPECT_NEAR(MostBusy(plan.front(), times), 0.2, 0.01) << tenant.name;
    EXPECT_LT(LightRequests(tenant, settings, times), kLeastRequests);
  }
  settings.measure_s = 100;
  EXPECT_GT(LightRequests(settings.tenants.front(), settings, times),
            kLeastRequests);
}

TEST(PlansTest, ATenantThatMayOnlyBeAskedLightlyHasOneBaseline) {
  DrawSettings settings = Settings();
  settings.tenants.front().most_rate_per_s = 3;
  const ServiceTimes times = ServiceTimesFrom({}, settings.tenants);
  EXPECT_EQ(PlanBaselines(settings.tenants.front(), settings, times).size(),
            1u);
}

TEST(ShareOfTest, RatesAreNoMoreThanATenantTakes) {
  const DrawSettings settings = Settings();
  EXPECT_EQ(ShareOf(settings.tenants.front(), 1, 0.6, settings, {{"gcn", 1e-3}})
                .rate_per_s,
            kMostRatePerS);
}

TEST(ServiceTimesTest, LeastLoadedBaselineWins) {
  Measured light;
  light.tenant = "gcn";
  light.kind = Kind::kBaseline;
  light.rate_per_s = 10;
  light.service_mean_ms = 3;
  Measured heavy = light;
  heavy.rate_per_s = 100;
  heavy.service_mean_ms = 4;
  Measured beside = light;
  beside.kind = Kind::kRandom;
  beside.rate_per_s = 1;
  beside.service_mean_ms = 9;
  const ServiceTimes times =
      ServiceTimesFrom({heavy, light, beside}, NineTenants());
  EXPECT_EQ(times.at("gcn"), 3);
  EXPECT_GT(times.at("lstm"), 0);  // the hint
}

TEST(PlansTest, HoldEveryPairAndEveryDialOnce) {
  DrawSettings settings = Settings();
  const ServiceTimes times = ServiceTimesFrom({}, settings.tenants);
  stats::Random random(3);
  EXPECT_EQ(PlanPairs(settings, times, random).size(), 36u);
  const auto plan =
      PlanSensitivity(settings, times, {StressKind::kCpu, StressKind::kCache},
                      {50, 100}, random);
  EXPECT_EQ(plan.size(), 36u);
  EXPECT_TRUE(std::all_of(plan.begin(), plan.end(), [](const Deployment& each) {
    return each.stress && each.shares.size() == 1;
  }));
}

}  // namespace
}  // namespace edgewise::tenants
