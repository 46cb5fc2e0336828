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
  kClose,    // there are enough requests, but it may be either
  kUnknown,  // too few requests to tell
};
// "kept".
std::string_view VerdictName(Verdict verdict);

struct PromiseSeen {
  int64_t requests = 0;
  int64_t late = 0;  // after the delay, or never
  // So many would have made a verdict probable.
  int64_t needed = 0;
  // The promised quantile and its 95% interval. nullopt: insufficient samples,
  // or requests that were never answered.
  std::optional<double> quantile_ns;
  std::optional<double> low_ns;
  std::optional<double> high_ns;
  Verdict verdict = Verdict::kUnknown;
};

// Response times in the order of arrival; infinite: refused, or not answered
// within the delay when the measurement ended. Requests whose delay had not
// passed by then must be left out. Times of neighbours resemble each other:
// requests count as the fewer independent ones that they are worth.
//
// A promise is broken, however few requests there were, when so many of them
// were late as it happens at most once in 20 times to one that just holds, and
// kept when as few were.
PromiseSeen SeePromise(const Sla& sla, const std::vector<double>& response_ns);

// Response times with those that were refused among them, as infinite: evenly
// behind the requests that found the longest queue. `queue_lengths` are those
// that the others found.
std::vector<double> WithRefused(const std::vector<double>& response_ns,
                                const std::vector<int>& queue_lengths,
                                int64_t refused);

// How many independent requests, none of them late, a promise takes to be
// called kept.
int64_t RequestsForVerdict(const Sla& sla);
// The time in which so many requests most probably come and their delay passes.
double SecondsForRequests(const Request& request, int64_t requests);

// The part of promises with a verdict that were broken; nullopt without any.
std::optional<double> BrokenPart(const std::vector<PromiseSeen>& promises);

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_PROMISE_SEEN_H_
