// How long a plan takes the jobs of a card to be, and on what grounds.
#ifndef EDGEWISE_PLANNING_ASSUMED_WCET_H_
#define EDGEWISE_PLANNING_ASSUMED_WCET_H_

#include <cstdint>
#include <string>

#include "base/result.h"
#include "cards/card.h"

namespace edgewise {

// What a plan may rest on.
struct WcetChoices {
  // Also the largest of few samples, or a p95.
  bool accept_observed = false;
  // wcet_ms as it is, without what neighbours cost.
  bool alone = false;
};

// The next job exceeds the largest of n with at most this probability, at 95%
// confidence, or the maximum is one of few samples: 59 of them.
inline constexpr double kMostExceedance = 0.05;

struct AssumedWcet {
  int64_t ns = 0;
  std::string source;  // "wcet_ms (p99 bound at 95%) x 1.53 beside dl"
};

// wcet_ms, stretched by what the worst company that was measured does to the
// p95 (`contended` over `isolated`); never less than the contended p95.
// Refused, with what to do: no wcet_ms, an observed maximum of few samples, a
// value beyond a year.
Result<AssumedWcet> AssumeWcet(const Card& card, const WcetChoices& choices);

}  // namespace edgewise

#endif  // EDGEWISE_PLANNING_ASSUMED_WCET_H_
