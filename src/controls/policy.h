// Scheduling policies as people write them, and setting one.
#ifndef EDGEWISE_CONTROLS_POLICY_H_
#define EDGEWISE_CONTROLS_POLICY_H_

#include <sched.h>
#include <sys/types.h>

#include <cerrno>
#include <string>
#include <string_view>

#include "base/result.h"

namespace edgewise {

// A scheduling policy as the user writes it: "other", "batch", "idle",
// "fifo:50", "rr:10".
struct SchedulingPolicy {
  int policy = 0;    // SCHED_*
  int priority = 0;  // 1..99 for fifo and rr
  bool realtime() const { return policy == SCHED_FIFO || policy == SCHED_RR; }
};
Result<SchedulingPolicy> ParsePolicy(std::string_view text);
// The same text back; "policy N" for one that ParsePolicy does not know.
std::string FormatPolicy(const SchedulingPolicy& policy);

// Gives a thread (0: the calling one) a policy that its children inherit.
// Returns 0 or errno. Inline and free of allocation: the guardian uses it
// between fork and exec.
inline int SetPolicy(pid_t thread, int policy, int priority) {
  sched_param parameters{};
  parameters.sched_priority = priority;
  return sched_setscheduler(thread, policy, &parameters) == 0 ? 0 : errno;
}

}  // namespace edgewise

#endif  // EDGEWISE_CONTROLS_POLICY_H_
