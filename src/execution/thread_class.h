// Which class the kernel schedules a thread in, set while it runs.
//
// Every function returns 0 or errno. EPERM: no right to real-time policies, or
// (SCHED_DEADLINE) a thread that may not use all cores.
#ifndef EDGEWISE_EXECUTION_THREAD_CLASS_H_
#define EDGEWISE_EXECUTION_THREAD_CLASS_H_

#include <sys/types.h>

#include <cstdint>

namespace edgewise {

// Real-time priorities of an execution, from the top: the dispatchers, which
// run for microseconds; then jobs.
inline constexpr int kDispatcherPriority = 98;
inline constexpr int kEdfPriority = 80;
// Of the ladder of edf-preemptive.
inline constexpr int kLadderTop = 79;
inline constexpr int kLadderBottom = 2;

struct DeadlineParameters {
  int64_t runtime_ns = 0;
  int64_t deadline_ns = 0;
  int64_t period_ns = 0;
};
// The thread's later children are of the ordinary class.
int SetDeadlineClass(pid_t thread, const DeadlineParameters& parameters);

// Whether this process may give threads real-time policies: tries it on the
// calling thread, which has the ordinary one afterwards.
int TryRealtime();

// Whether the thread belongs to this process or one of its descendants: what
// programs say of themselves is not taken for granted.
bool IsDescendantThread(pid_t thread);

}  // namespace edgewise

#endif  // EDGEWISE_EXECUTION_THREAD_CLASS_H_
