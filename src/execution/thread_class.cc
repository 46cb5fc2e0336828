#include "execution/thread_class.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "base/text.h"

namespace edgewise {
namespace {

// sched_setattr(2); glibc got it only with 2.41.
struct SchedulingAttributes {
  uint32_t size = sizeof(SchedulingAttributes);
  uint32_t policy = 0;
  uint64_t flags = 0;
  int32_t nice = 0;
  uint32_t priority = 0;
  uint64_t runtime_ns = 0;
  uint64_t deadline_ns = 0;
  uint64_t period_ns = 0;
};
static_assert(sizeof(SchedulingAttributes) == 48);

constexpr uint32_t kSchedDeadline = 6;
constexpr uint64_t kResetOnFork = 1;

std::optional<int64_t> StatusOf(pid_t process, std::string_view key) {
  const auto text = TryReadFile("/proc/" + std::to_string(process) + "/status");
  return text ? FindKeyedInt(*text, key) : std::nullopt;
}

}  // namespace

int SetDeadlineClass(pid_t thread, const DeadlineParameters& parameters) {
  SchedulingAttributes attributes;
  attributes.policy = kSchedDeadline;
  attributes.flags = kResetOnFork;
  attributes.runtime_ns = static_cast<uint64_t>(parameters.runtime_ns);
  attributes.deadline_ns = static_cast<uint64_t>(parameters.deadline_ns);
  attributes.period_ns = static_cast<uint64_t>(parameters.period_ns);
  return ::syscall(SYS_sched_setattr, thread, &attributes, 0) == 0 ? 0 : errno;
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
