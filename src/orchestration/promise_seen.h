// PromiseSeen: whether a promise was kept, judged by the response times that
// were seen.
#ifndef EDGEWISE_ORCHESTRATION_PROMISE_SEEN_H_
#define EDGEWISE_ORCHESTRATION_PROMISE_SEEN_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "orchestration/instance.h"

namespace edgewise::orchestration {

enum class Verdict {
  kKept,
  kBroken,
  kUnknown,  // too few requests for the promised quantile
};
// "kept".
std::string_view VerdictName(Verdict verdict);

struct PromiseSeen {
  int64_t requests = 0;
  int64_t late = 0;  // after the delay, or never
  // The promised quantile and its 95% interval. nullopt: insufficient samples,
  // or (the high end) requests that were never answered.
  std::optional<double> quantile_ns;
  std::optional<double> low_ns;
  std::optional<double> high_ns;
  Verdict verdict = Verdict::kUnknown;

  // The delay lies within the interval: it may as well be the other way round.
  bool close = false;
};

// Response times in the order of arrival; infinite: refused, or not answered
// within the delay when the measurement ended. Requests whose delay had not
// passed by then must be left out. Times of neighbours resemble each other,
// which widens the interval.
PromiseSeen SeePromise(const Sla& sla, const std::vector<double>& response_ns);

// The part of promises with a verdict that were broken; nullopt without any.
std::optional<double> BrokenPart(const std::vector<PromiseSeen>& promises);

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_PROMISE_SEEN_H_
