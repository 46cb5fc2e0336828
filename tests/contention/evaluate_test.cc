#include "contention/evaluate.h"

#include <gtest/gtest.h>

#include "simulated_campaign.h"

namespace edgewise::contention {
namespace {

TEST(EvaluateTest, Scratch) {
  for (double seconds : {8.0, 60.0}) {
    SimulatedServer server;
    server.seconds = seconds;
    SimulatedPlan plan;
    plan.random = 100;
    plan.repeats = 30;
    plan.most_busy = 0.85;
    auto campaign = SimulateCampaign(FourApps(), server, plan);
    auto ev = EvaluateContention(campaign, {});
    ASSERT_TRUE(ev.ok()) << ev.error().message;
    printf("seconds %g noise", seconds);
    for (auto n : ev->noise.median_ape) printf(" %.3f", n.value_or(-1));
    printf("\n");
    for (auto& p : ev->predictors) {
      printf("%-12s", p.name.c_str());
      for (auto& f : p.figures) {
        printf(" | %ld %.3f p90 %.2f cov %.2f r %.2f", f.forecasts,
               f.median_ape ? f.median_ape->value : -1, f.p90_ape.value_or(-1),
               f.coverage.value_or(-1),
               f.against_published ? f.against_published->value : -1);
      }
      printf(" sat %ld/%ld\n", p.foretold, p.saturated);
    }
  }
}

}  // namespace
}  // namespace edgewise::contention
