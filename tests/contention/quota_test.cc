#include <gtest/gtest.h>

#include "contention/pressure_predictor.h"
#include "contention/quota_hold.h"
#include "contention/sharing.h"
#include "simulated_campaign.h"
#include "stats/random.h"

namespace edgewise::contention {
namespace {

TEST(QuotaHoldTest, IsLongerWithMoreWorkAndASmallerQuota) {
  QuotaDemand demand;
  demand.depth = 0.5;
  demand.service_s = 0.02;
  double longest_s = 0;
  for (const double quota : {0.9, 0.5, 0.3, 0.2}) {
    demand.quota_cores = quota;
    demand.used = 0.1 / quota;
    const Hold hold = FindHold(demand);
    EXPECT_GT(hold.mean_s, longest_s) << quota;
    EXPECT_GT(hold.deviation_s, 0);
    longest_s = hold.mean_s;
  }
  for (const double used : {0.6, 0.8, 0.95}) {
    demand.used = used;
    const Hold hold = FindHold(demand);
    EXPECT_GT(hold.mean_s, longest_s) << used;
    longest_s = hold.mean_s;
  }
}

TEST(QuotaHoldTest, DoesNotJumpWhereARequestIsAsLongAsTheDepth) {
  QuotaDemand demand;
  demand.quota_cores = 0.4;
  demand.depth = 0.5;
  demand.used = 0.5;
  demand.service_s = 0.02 - 1e-9;
  const Hold below = FindHold(demand);
  demand.service_s = 0.02 + 1e-9;
  const Hold above = FindHold(demand);
  EXPECT_NEAR(above.mean_s / below.mean_s, 1, 1e-5);
  EXPECT_NEAR(above.deviation_s / below.deviation_s, 1, 1e-5);
}

TEST(QuotaHoldTest, NobodyIsHeldByAQuotaThatIsNoLimit) {
  QuotaDemand demand;
  demand.service_s = 0.02;
  demand.used = 0.5;
  demand.quota_cores = 1;
  EXPECT_EQ(FindHold(demand).mean_s, 0);
}

// A tenant by itself, whose budget is filled each 100 ms.
TEST(QuotaTest, ResponseTimesAreThoseOfASimulatedBudget) {
  struct Case {
    int replicas;
    double rate_per_s;
    double service_ms;
    double quota;
  };
  for (const Case& c :
       {Case{1, 20, 4, 0.12}, Case{1, 5, 40, 0.25}, Case{1, 5, 40, 0.4},
        Case{1, 1, 200, 0.5}, Case{4, 10, 4, 0.2}, Case{2, 5, 20, 0.4},
        Case{1, 20, 4, 0.6}}) {
    Sharing sharing;
    sharing.apps = {
        {c.service_ms, 0.2, 1, 0, {0}, {1}, {c.service_ms, c.service_ms}}};
    sharing.speeds = {1};
    sharing.quota_depth = 0.5;
    const Deployment deployment{
        0, {{0, c.replicas, c.rate_per_s, c.quota}}, std::nullopt};
    SimulatedServer server;
    server.seconds = 400;
    const auto truth =
        Simulate({{c.service_ms, 0.2, 0, 1}}, server, deployment, 7);
    const auto predicted = SharingPredictor(sharing).Predict(deployment);
    ASSERT_TRUE(predicted[0]) << c.quota;
    EXPECT_NEAR((*predicted[0])[kMean] / *truth[0].response_mean_ms, 1, 0.45)
        << c.service_ms << " ms, quota " << c.quota;
    EXPECT_NEAR((*predicted[0])[kP95] / *truth[0].response_p95_ms, 1, 0.5)
        << c.service_ms << " ms, quota " << c.quota;
  }
}

// Short and long requests, cold caches, slices: all that could make a time
// fall.
Sharing FiveApps() {
  Sharing sharing;
  for (const double service_ms : {2.0, 3.0, 8.0, 10.0, 15.0}) {
    sharing.apps.push_back({service_ms,
                            0.4,
                            0.6,
                            0.8,
                            {0.01, 0.005},
                            {1, 2},
                            {1.1 * service_ms, service_ms}});
  }
  sharing.speeds = {1};
  sharing.slice_ms = 1.5;
  sharing.uneven = 0.5;
  sharing.skew = 1.3;
  sharing.quota_depth = 0.8;
  sharing.own_group = 0.7;
  return sharing;
}

// Any of them, some with quotas, together from hardly busy to far too much.
Deployment DrawAny(const Sharing& sharing, stats::Random* random) {
  Deployment deployment;
  const double load = 0.05 + 1.5 * random->Uniform();
  for (size_t app = 0; app < sharing.apps.size(); ++app) {
    if (app > 0 && random->Below(2) == 0) {
      continue;
    }
    Tenant tenant{app, 1 + static_cast<int>(random->Below(4)), 0, {}};
    tenant.rate_per_s = load * random->Uniform() / 2 * 1e3 /
                        sharing.apps[app].service_ms / tenant.replicas;
    if (random->Below(3) == 0) {
      tenant.quota_cores = 0.03 + 1.1 * random->Uniform();
    }
    deployment.tenants.push_back(tenant);
  }
  return deployment;
}

TEST(SharingTest, TimesDoNotFallWhereverMoreIsAsked) {
  const Sharing sharing = FiveApps();
  const SharingPredictor predictor(sharing);
  stats::Random random(11);
  for (int draw = 0; draw < 4000; ++draw) {
    const Deployment deployment = DrawAny(sharing, &random);
    Deployment more = deployment;
    Tenant& raised = more.tenants[random.Below(more.tenants.size())];
    if (random.Below(2) == 0) {
      ++raised.replicas;
    } else {
      raised.rate_per_s *= 1 + random.Uniform();
    }
    const auto before = predictor.Predict(deployment);
    const auto after = predictor.Predict(more);
    for (size_t t = 0; t < after.size(); ++t) {
      EXPECT_FALSE(!before[t] && after[t]) << "came back from never";
      for (size_t f = 0; before[t] && after[t] && f < kFigures; ++f) {
        ASSERT_GE((*after[t])[f], (*before[t])[f] * (1 - 1e-5))
            << kFigureNames[f] << " of tenant " << t << " of draw " << draw;
      }
    }
  }
}

}  // namespace
}  // namespace edgewise::contention
