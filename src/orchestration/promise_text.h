// A promise in one line, as annotations of Kubernetes and tables show it.
#ifndef EDGEWISE_ORCHESTRATION_PROMISE_TEXT_H_
#define EDGEWISE_ORCHESTRATION_PROMISE_TEXT_H_

#include <optional>
#include <string>
#include <string_view>

#include "orchestration/instance.h"

namespace edgewise::orchestration {

// "p95", "p99.9" or 0.95; from p50 to p99.99.
std::optional<double> ParseQuantile(std::string_view text);
// "p95".
std::string QuantileText(double quantile);

// "p95 within 80 ms".
std::string PromiseText(const Sla& sla);
std::optional<Sla> ParsePromise(std::string_view text);

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_PROMISE_TEXT_H_
