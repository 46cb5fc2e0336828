#include "tenants/choose.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stats/random.h"
#include "tenants/draw.h"

namespace edgewise::tenants {
namespace {

DrawSettings Settings() {
  DrawSettings settings;
  settings.server.cpus = {0};
  settings.tenants = {NineTenants()[0], NineTenants()[1], NineTenants()[2]};
  return settings;
}

// A world in which p95 follows the load, but for some noise.
void Pretend(const Deployment& deployment, const std::string& id,
             const ServiceTimes& times, double noise, stats::Random& random,
             std::vector<Measured>* rows) {
  double load = 0;
  for (const Share& share : deployment.shares) {
    load +=
        share.replicas * share.rate_per_s * times.at(share.tenant.name) / 1e3;
  }
  for (const Share& share : deployment.shares) {
    Measured row;
    row.deployment = id;
    row.kind = deployment.kind;
    row.tenant = share.tenant.name;
    row.replicas = share.replicas;
    row.rate_per_s = share.rate_per_s;
    row.service_mean_ms = times.at(share.tenant.name);
    row.response_p95_ms = *row.service_mean_ms * 2 /
                          (1 - std::min(load, 0.95)) *
                          std::exp(noise * random.Normal());
    rows->push_back(row);
  }
}

std::vector<Measured> World(int deployments, double noise) {
  const DrawSettings settings = Settings();
  const ServiceTimes times = ServiceTimesFrom({}, settings.tenants);
  stats::Random random(5);
  std::vector<Measured> rows;
  for (const Tenant& tenant : settings.tenants) {
    Pretend(PlanBaselines(tenant, settings, times).front(), "b" + tenant.name,
            times, noise, random, &rows);
  }
  for (int i = 0; i < deployments; ++i) {
    Pretend(DrawRandom(settings, times, random), "r" + std::to_string(i), times,
            noise, random, &rows);
  }
  return rows;
}

std::vector<Deployment> Candidates() {
  const DrawSettings settings = Settings();
  stats::Random random(6);
  std::vector<Deployment> candidates;
  for (int i = 0; i < 10; ++i) {
    candidates.push_back(
        DrawRandom(settings, ServiceTimesFrom({}, settings.tenants), random));
  }
  return candidates;
}

TEST(BootstrapChooserTest, SaysNothingOfErrorsFromAFewDeployments) {
  EXPECT_FALSE(BootstrapChooser(1)(Candidates(), {}).error);
  EXPECT_FALSE(BootstrapChooser(1)(Candidates(), World(3, 0.1)).error);
}

TEST(BootstrapChooserTest, ErrorFollowsTheNoise) {
  const auto quiet = BootstrapChooser(1)(Candidates(), World(60, 0.05)).error;
  const auto noisy = BootstrapChooser(1)(Candidates(), World(60, 0.5)).error;
  ASSERT_TRUE(quiet && noisy);
  EXPECT_LT(*quiet, 0.15);
  EXPECT_GT(*noisy, 2 * *quiet);
}

TEST(BootstrapChooserTest, ATenantThatWasNeverSeenComesFirst) {
  auto candidates = Candidates();
  candidates[7].shares.front().tenant.name = "new";
  EXPECT_EQ(BootstrapChooser(1)(candidates, World(60, 0.1)).candidate, 7u);
}

}  // namespace
}  // namespace edgewise::tenants
