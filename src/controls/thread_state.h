// How the kernel schedules one thread: its cores and its class, read and set.
#ifndef EDGEWISE_CONTROLS_THREAD_STATE_H_
#define EDGEWISE_CONTROLS_THREAD_STATE_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace edgewise {

inline constexpr uint32_t kPolicyDeadline = 6;  // SCHED_DEADLINE
inline constexpr uint64_t kFlagResetOnFork = 1;

// struct sched_attr of sched_setattr(2); glibc has it only since 2.41.
struct SchedulingAttributes {
  uint32_t size = sizeof(SchedulingAttributes);
  uint32_t policy = 0;
  uint64_t flags = 0;
  int32_t nice = 0;
  uint32_t priority = 0;
  uint64_t runtime_ns = 0;
  uint64_t deadline_ns = 0;
  uint64_t period_ns = 0;

  bool operator==(const SchedulingAttributes&) const = default;
};
static_assert(sizeof(SchedulingAttributes) == 48);

// "other", "other nice 5", "fifo:40", "deadline 5 ms of 20 ms".
std::string DescribeAttributes(const SchedulingAttributes& attributes);

// 0 or errno. The thread's later children are as it is, unless flags say else.
int SetAttributes(pid_t thread, const SchedulingAttributes& attributes);

struct ThreadState {
  std::vector<int> cpus;  // ascending
  SchedulingAttributes attributes;

  bool operator==(const ThreadState&) const = default;
};

// nullopt if there is no such thread, or it may not be seen. Times are those of
// SCHED_DEADLINE, else 0.
std::optional<ThreadState> ReadThreadState(pid_t thread);

// Cores first, then the class; one under SCHED_DEADLINE leaves that first,
// which the kernel demands. Returns 0 or the first errno.
int SetThreadState(pid_t thread, const ThreadState& state);

}  // namespace edgewise

#endif  // EDGEWISE_CONTROLS_THREAD_STATE_H_
