// How long requests take at a replica that serves one after the other while
// its server is shared.
//
// The service itself is stretched by what else runs (slow_down); requests that
// find the replica at work wait. Both vary, and the response time is taken to
// lie between a normal and an exponential distribution of the same mean and
// spread: the former where service times dominate, the latter, whose tail is
// longer, where waiting does.
#ifndef EDGEWISE_ORCHESTRATION_RESPONSE_LAW_H_
#define EDGEWISE_ORCHESTRATION_RESPONSE_LAW_H_

#include <optional>

namespace edgewise::orchestration {

struct SharedService {
  double service_ms = 0;  // alone, on average
  double spread = 0;      // of it alone: standard deviation ÷ mean
  double slow_down = 1;   // by the others, on average
  // How much the slow-down differs between requests: 1 as the number of others
  // at work does when they come at random, 0 not at all.
  double uneven = 1;
  double rate_per_s = 0;  // requests at the replica
  double wait = 1;        // waiting ÷ that of independent service times
  double skew = 1;        // of response times; at most kMostSkew
  // What a quota adds to the response, on average and its deviation.
  double held_ms = 0;
  double held_deviation_ms = 0;
};

inline constexpr double kMostSkew = 1.5;

struct ResponseMoments {
  double mean_ms = 0;
  double deviation_ms = 0;
  double exponential = 0;  // 0: normal; 1: exponential; up to kMostSkew
};

// The mean and every quantile up to p99 rise with every field of `service`,
// those beyond where nothing is held. nullopt: requests come faster than they
// are served.
std::optional<ResponseMoments> FindResponse(const SharedService& service);

// 0.5 <= quantile < 1. Rises with it, so quantiles do not cross.
double QuantileMs(const ResponseMoments& response, double quantile);

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_RESPONSE_LAW_H_
