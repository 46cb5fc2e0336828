#include "probes/stacks/sampling_budget.h"

#include <algorithm>

namespace edgewise {
namespace {

// Of one core, at the usual rate; the rest of a session takes a third of a
// percent more.
constexpr double kShare = 0.006;
constexpr double kUsualHz = 99;
constexpr int kWindows = 2;

}  // namespace

SamplingBudget::SamplingBudget(double rate_hz)
    : share_(kShare * std::max(1.0, rate_hz / kUsualHz)) {}

bool SamplingBudget::Exceeded(int64_t now_ns, int64_t cpu_ns) {
  const bool first = next_ns_ == 0;
  const bool above =
      !first && static_cast<double>(cpu_ns - began_cpu_ns_) >
                    share_ * static_cast<double>(now_ns - began_ns_);
  above_ = above ? above_ + 1 : 0;
  const bool exceeded = above_ == kWindows;
  above_ = exceeded ? 0 : above_;
  began_ns_ = now_ns;
  began_cpu_ns_ = cpu_ns;
  next_ns_ = now_ns + kWindowNs;
  return exceeded;
}

}  // namespace edgewise
