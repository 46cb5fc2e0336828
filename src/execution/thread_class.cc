#include "execution/thread_class.h"

#include <sched.h>
#include <unistd.h>

#include <string>

#include "base/text.h"
#include "controls/policy.h"
#include "controls/thread_state.h"

namespace edgewise {
namespace {

std::optional<int64_t> StatusOf(pid_t process, std::string_view key) {
  const auto text = TryReadFile("/proc/" + std::to_string(process) + "/status");
  return text ? FindKeyedInt(*text, key) : std::nullopt;
}

}  // namespace

int SetDeadlineClass(pid_t thread, const DeadlineParameters& parameters) {
  SchedulingAttributes attributes;
  attributes.policy = kPolicyDeadline;
  attributes.flags = kFlagResetOnFork;
  attributes.runtime_ns = static_cast<uint64_t>(parameters.runtime_ns);
  attributes.deadline_ns = static_cast<uint64_t>(parameters.deadline_ns);
  attributes.period_ns = static_cast<uint64_t>(parameters.period_ns);
  return SetAttributes(thread, attributes);
}

int TryRealtime() {
  if (const int error = SetPolicy(0, SCHED_FIFO, kDispatcherPriority)) {
    return error;
  }
  return SetPolicy(0, SCHED_OTHER, 0);
}

bool IsDescendantThread(pid_t thread) {
  // /proc/TID is there for every thread, and its Tgid names the process.
  auto process = thread > 0 ? StatusOf(thread, "Tgid") : std::nullopt;
  while (process && *process > 1) {
    if (*process == ::getpid()) {
      return true;
    }
    process = StatusOf(static_cast<pid_t>(*process), "PPid");
  }
  return false;
}

}  // namespace edgewise
