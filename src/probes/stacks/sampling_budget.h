// SamplingBudget: when taking samples costs more than it should.
//
// Each sample of a Python program wakes the sampler, so many busy cores would
// make it a noticeable program of its own. It is told its CPU time now and then
// and answers when to halve the rate. Not thread-safe.
#ifndef EDGEWISE_PROBES_STACKS_SAMPLING_BUDGET_H_
#define EDGEWISE_PROBES_STACKS_SAMPLING_BUDGET_H_

#include <cstdint>

#include "base/clock.h"

namespace edgewise {

class SamplingBudget {
 public:
  static constexpr int64_t kWindowNs = kNsPerSecond / 4;

  // Who asks for more samples grants more: the budget is what one busy core's
  // samples usually take.
  explicit SamplingBudget(double rate_hz);

  // A window is over and its CPU time should be told.
  bool Due(int64_t now_ns) const { return now_ns >= next_ns_; }
  // True: halve the rate. Says so after two windows in a row above the budget,
  // and then judges anew.
  bool Exceeded(int64_t now_ns, int64_t cpu_ns);

 private:
  double share_;
  int64_t began_ns_ = 0;
  int64_t next_ns_ = 0;
  int64_t began_cpu_ns_ = 0;
  int above_ = 0;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_STACKS_SAMPLING_BUDGET_H_
