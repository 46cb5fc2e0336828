#include "orchestration/response_law.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "stats/random.h"

namespace edgewise::orchestration {
namespace {

SharedService DrawService(stats::Random* random) {
  SharedService service;
  service.service_ms = 1 + 50 * random->Uniform();
  service.spread = 2 * random->Uniform();
  service.slow_down = 1 + 4 * random->Uniform();
  service.uneven = 2 * random->Uniform();
  service.wait = 2 * random->Uniform();
  service.skew = kMostSkew * random->Uniform();
  service.rate_per_s =
      random->Uniform() * 1e3 / (service.service_ms * service.slow_down);
  return service;
}

TEST(ResponseLawTest, QuantilesRiseWithEveryFieldAndDoNotCross) {
  constexpr double SharedService::*kFields[] = {
      &SharedService::service_ms, &SharedService::spread,
      &SharedService::slow_down,  &SharedService::uneven,
      &SharedService::rate_per_s, &SharedService::wait,
      &SharedService::skew,       &SharedService::held_ms};
  stats::Random random(3);
  for (int draw = 0; draw < 4000; ++draw) {
    const SharedService service = DrawService(&random);
    const auto response = FindResponse(service);
    ASSERT_TRUE(response);
    double lower = response->mean_ms * 0.999;
    for (const double quantile : {0.5, 0.6, 0.75, 0.9, 0.95, 0.99, 0.9999}) {
      const double ms = QuantileMs(*response, quantile);
      EXPECT_GE(ms, lower) << quantile;
      lower = ms;
      for (const auto field : kFields) {
        SharedService more = service;
        more.*field = more.*field * (1 + random.Uniform()) + 1e-3;
        more.skew = std::min(more.skew, kMostSkew);
        if (const auto longer = FindResponse(more)) {
          EXPECT_GE(longer->mean_ms, response->mean_ms * (1 - 1e-12));
          EXPECT_GE(QuantileMs(*longer, quantile), ms * (1 - 1e-12))
              << "p" << quantile << ", draw " << draw;
        }
      }
    }
  }
}

TEST(ResponseLawTest, WhatComesFasterThanItIsServedIsNeverAnswered) {
  SharedService service;
  service.service_ms = 10;
  service.slow_down = 2;
  service.rate_per_s = 49;
  EXPECT_TRUE(FindResponse(service));
  service.rate_per_s = 50;
  EXPECT_FALSE(FindResponse(service));
}

}  // namespace
}  // namespace edgewise::orchestration
