#include "controls/thread_state.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "base/units.h"
#include "controls/affinity.h"
#include "controls/policy.h"

namespace edgewise {
namespace {

// What sched_setattr takes of what sched_getattr gives.
constexpr uint64_t kFlags = 7;

}  // namespace

std::string DescribeAttributes(const SchedulingAttributes& attributes) {
  if (attributes.policy == kPolicyDeadline) {
    const auto text = [](uint64_t ns) {
      return FormatDuration(static_cast<double>(ns));
    };
    return "deadline " + text(attributes.runtime_ns) + " of " +
           text(attributes.period_ns);
  }
  std::string text = FormatPolicy({static_cast<int>(attributes.policy),
                                   static_cast<int>(attributes.priority)});
  if (attributes.nice != 0) {
    text += " nice " + std::to_string(attributes.nice);
  }
  return text;
}

int SetAttributes(pid_t thread, const SchedulingAttributes& attributes) {
  SchedulingAttributes given = attributes;
  given.size = sizeof given;
  given.flags &= kFlags;
  return ::syscall(SYS_sched_setattr, thread, &given, 0) == 0 ? 0 : errno;
}

std::optional<ThreadState> ReadThreadState(pid_t thread) {
  ThreadState state;
  cpu_set_t set;
  if (::sched_getaffinity(thread, sizeof set, &set) != 0 ||
      ::syscall(SYS_sched_getattr, thread, &state.attributes,
                sizeof state.attributes, 0) != 0) {
    return std::nullopt;
  }
  state.attributes.size = sizeof state.attributes;
  state.attributes.flags &= kFlags;
  if (state.attributes.policy != kPolicyDeadline) {
    // Newer kernels tell the length of a slice here, which is theirs to choose.
    state.attributes.runtime_ns = 0;
    state.attributes.deadline_ns = 0;
    state.attributes.period_ns = 0;
  }
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) {
      state.cpus.push_back(cpu);
    }
  }
  return state;
}

int SetThreadState(pid_t thread, const ThreadState& state) {
  const auto now = ReadThreadState(thread);
  if (!now) {
    return ESRCH;
  }
  if (now->attributes.policy == kPolicyDeadline) {
    if (const int error = SetPolicy(thread, SCHED_OTHER, 0)) {
      return error;
    }
  }
  if (now->cpus != state.cpus) {
    if (const int error =
            SetAffinity(thread, state.cpus.data(), state.cpus.size())) {
      return error;
    }
  }
  return now->attributes == state.attributes
             ? 0
             : SetAttributes(thread, state.attributes);
}

}  // namespace edgewise
