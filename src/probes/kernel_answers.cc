#include "probes/kernel_answers.h"

#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/unique_fd.h"
#include "probes/perf_counters.h"

namespace edgewise {
namespace {

// As in linux/sched/types.h, which clashes with glibc's sched.h.
struct SchedAttr {
  uint32_t size;
  uint32_t policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime_ns;
  uint64_t deadline_ns;
  uint64_t period_ns;
};
constexpr uint32_t kSchedDeadline = 6;
constexpr uint64_t kResetOnFork = 1;

int TryDeadline() {
  SchedAttr attr{};
  attr.size = sizeof attr;
  attr.policy = kSchedDeadline;
  attr.flags = kResetOnFork;
  attr.runtime_ns = 1'000'000;
  attr.deadline_ns = 100'000'000;
  attr.period_ns = 100'000'000;
  return ::syscall(SYS_sched_setattr, 0, &attr, 0) == 0 ? 0 : errno;
}

// Runs on a thread of its own: what it sets ends with it.
void* TryPolicies(void* argument) {
  auto* const answers = static_cast<KernelAnswers*>(argument);
  const auto tid = static_cast<id_t>(::syscall(SYS_gettid));
  const sched_param lowest{.sched_priority = 1};
  const sched_param none{.sched_priority = 0};
  answers->fifo_errno =
      ::sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &lowest) == 0
          ? 0
          : errno;
  ::sched_setscheduler(0, SCHED_OTHER, &none);
  answers->deadline_errno = TryDeadline();
  ::sched_setscheduler(0, SCHED_OTHER, &none);
  // On Linux the nice value is a thread's own.
  answers->negative_nice_errno =
      ::setpriority(PRIO_PROCESS, tid, -1) == 0 ? 0 : errno;
  return nullptr;
}

int TrySampling() {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_CPU_CLOCK;
  attr.sample_period = 1'000'000;
  attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN;
  attr.disabled = 1;
  attr.exclude_kernel = 1;
  const UniqueFd fd(static_cast<int>(
      ::syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC)));
  return fd.valid() ? 0 : errno;
}

void TryCounters(KernelAnswers* answers) {
  PerfOptions options;
  options.inherit = false;
  const auto software = FindPerfEvent("context-switches");
  const auto hardware = FindPerfEvent("cycles");
  bool user_only = false;
  const UniqueFd first(OpenPerfEvent(*software, 0, options, &user_only));
  answers->perf_software_errno = first.valid() ? 0 : errno;
  if (answers->perf_software_errno == EACCES ||
      answers->perf_software_errno == EPERM) {
    const UniqueFd faults(
        OpenPerfEvent(*FindPerfEvent("page-faults"), 0, options, &user_only));
    if (faults.valid()) {
      answers->perf_software_errno = 0;
      answers->perf_user_only = true;
    }
  }
  const UniqueFd second(OpenPerfEvent(*hardware, 0, options, &user_only));
  answers->perf_hardware_errno = second.valid() ? 0 : errno;
}

int64_t SoftLimit(__rlimit_resource resource) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0) {
    return 0;
  }
  constexpr rlim_t kMost = 1'000'000;
  return static_cast<int64_t>(std::min(limit.rlim_cur, kMost));
}

std::optional<int64_t> FreeBytes(std::filesystem::path folder) {
  std::error_code error;
  while (!std::filesystem::exists(folder, error) && folder.has_parent_path() &&
         folder != folder.parent_path()) {
    folder = folder.parent_path();
  }
  struct statvfs info {};
  if (::statvfs(folder.empty() ? "." : folder.c_str(), &info) != 0) {
    return std::nullopt;
  }
  return static_cast<int64_t>(info.f_bavail) *
         static_cast<int64_t>(info.f_frsize);
}

}  // namespace

KernelAnswers AskKernel(const std::filesystem::path& store_folder) {
  KernelAnswers answers;
  answers.root_user = ::geteuid() == 0;
  TryCounters(&answers);
  answers.sampling_errno = TrySampling();
  pthread_t thread{};
  if (const int error =
          ::pthread_create(&thread, nullptr, &TryPolicies, &answers);
      error == 0) {
    ::pthread_join(thread, nullptr);
  } else {
    answers.fifo_errno = answers.deadline_errno = error;
    answers.negative_nice_errno = error;
  }
  answers.realtime_priority_limit = SoftLimit(RLIMIT_RTPRIO);
  answers.nice_limit = 20 - SoftLimit(RLIMIT_NICE);
  answers.store_free_bytes = FreeBytes(store_folder);
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
    answers.allowed_cores = CPU_COUNT(&allowed);
  }
  return answers;
}

}  // namespace edgewise
