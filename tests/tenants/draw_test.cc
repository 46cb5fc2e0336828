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
