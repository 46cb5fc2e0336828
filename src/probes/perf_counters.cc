#include "probes/perf_counters.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "probes/process_members.h"
#include "probes/small_files.h"

namespace edgewise {
namespace {

int CallPerfEventOpen(perf_event_attr* attr, pid_t tid) {
  return static_cast<int>(::syscall(SYS_perf_event_open, attr, tid, /*cpu=*/-1,
                                    /*group_fd=*/-1, PERF_FLAG_FD_CLOEXEC));
}

std::vector<pid_t> ThreadsToOpen(pid_t pid, const PerfOptions& options) {
  if (options.all_threads) {
    std::vector<pid_t> tids =
        NumberedEntries(options.proc_root / std::to_string(pid) / "task");
    if (!tids.empty()) {
      return tids;
    }
  }
  return {pid};
}

}  // namespace

std::optional<int64_t> ReadPerfParanoid(
    const std::filesystem::path& proc_root) {
  return ReadNumber(proc_root / "sys/kernel/perf_event_paranoid");
}

int OpenPerfEvent(const PerfEvent& event, pid_t tid, const PerfOptions& options,
                  bool* user_only) {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = event.type;
  attr.config = event.config;
  attr.read_format =
      PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  attr.inherit = options.inherit ? 1 : 0;
  attr.disabled = options.enable_on_exec ? 1 : 0;
  attr.enable_on_exec = options.enable_on_exec ? 1 : 0;
  attr.exclude_hv = event.hardware ? 1 : 0;
  *user_only = false;
  int fd = CallPerfEventOpen(&attr, tid);
  if (fd < 0 && (errno == EACCES || errno == EPERM) && !event.only_in_kernel) {
    attr.exclude_kernel = 1;
    const int first_error = errno;
    fd = CallPerfEventOpen(&attr, tid);
    if (fd >= 0) {
      *user_only = true;
    } else {
      errno = first_error;
    }
  }
  return fd;
}

Result<PerfCounters> PerfCounters::Open(pid_t pid,
                                        const std::vector<std::string>& names,
                                        const PerfOptions& options) {
  Result<std::vector<PerfEvent>> events = FindPerfEvents(names);
  if (!events) {
    return events.error();
  }
  PerfCounters counters;
  counters.enable_on_exec_ = options.enable_on_exec;
  const std::vector<pid_t> tids = ThreadsToOpen(pid, options);
  for (PerfEvent& event : *events) {
    Counter counter;
    int error = 0;
    for (const pid_t tid : tids) {
      bool user_only = false;
      UniqueFd fd(OpenPerfEvent(event, tid, options, &user_only));
      if (fd.valid()) {
        counter.fds.push_back(std::move(fd));
        counter.user_only |= user_only;
      } else if (errno != ESRCH || tids.size() == 1) {
        error = errno;  // a thread that ended meanwhile is none
        break;
      }
    }
    if (error == 0 && counter.fds.empty()) {
      error = ESRCH;
    }
    if (error != 0) {
      counters.unavailable_.push_back(
          {event.name, ExplainPerfRefusal(
                           event, error, ReadPerfParanoid(options.proc_root))});
      continue;
    }
    counter.event = std::move(event);
    counters.counters_.push_back(std::move(counter));
  }
  return counters;
}

PerfReading SumCounts(const std::vector<RawCount>& counts,
                      bool counts_from_exec) {
  PerfReading reading;
  double enabled_ns = 0;
  double running_ns = 0;
  double value = 0;
  for (const RawCount& count : counts) {
    enabled_ns += static_cast<double>(count.time_enabled_ns);
    running_ns += static_cast<double>(count.time_running_ns);
    if (count.time_running_ns > 0) {
      value += static_cast<double>(count.value) *
               (static_cast<double>(count.time_enabled_ns) /
                static_cast<double>(count.time_running_ns));
    }
  }
  if (enabled_ns == 0) {
    if (!counts_from_exec) {
      reading.value = 0;
    }
    return reading;
  }
  reading.running_share = running_ns / enabled_ns;
  if (running_ns > 0) {
    reading.value = value;
  }
  return reading;
}

std::vector<PerfReading> PerfCounters::Read() const {
  std::vector<PerfReading> readings;
  for (const Counter& counter : counters_) {
    std::vector<RawCount> counts;
    for (const UniqueFd& fd : counter.fds) {
      RawCount count;
      if (::read(fd.get(), &count, sizeof count) == sizeof count) {
        counts.push_back(count);
      }
    }
    PerfReading reading = SumCounts(counts, enable_on_exec_ || counts.empty());
    reading.name = counter.event.name;
    reading.user_only = counter.user_only;
    reading.nanoseconds = counter.event.nanoseconds;
    readings.push_back(std::move(reading));
  }
  return readings;
}

}  // namespace edgewise
