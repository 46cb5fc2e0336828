// PerfCounters: hardware and software event counts of a program.
//
// Each event is opened by itself, so that one the machine lacks costs only
// itself. Counting is done by the kernel; reading costs one system call per
// event and thread. Threads and processes that a counted thread starts later
// are counted too. Not thread-safe.
#ifndef EDGEWISE_PROBES_PERF_COUNTERS_H_
#define EDGEWISE_PROBES_PERF_COUNTERS_H_

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unavailable.h"
#include "base/unique_fd.h"
#include "probes/perf_events.h"

namespace edgewise {

struct PerfOptions {
  bool inherit = true;  // count descendants too
  // Start counting when the process executes its program (a launch that is
  // held before exec), not at once.
  bool enable_on_exec = false;
  // Open on every thread that the process has now (for attaching).
  bool all_threads = false;
  std::filesystem::path proc_root = "/proc";
};

struct PerfReading {
  std::string name;
  // Scaled up if the counter was only part of the time on the hardware;
  // nullopt if it never was.
  std::optional<double> value;
  // Share of the time the counter was on the hardware; below 1 `value` is an
  // estimate (multiplexing).
  double running_share = 1;
  bool scaled() const { return running_share < 1; }
  bool user_only = false;  // the kernel's own work is not counted
  bool nanoseconds = false;
};

class PerfCounters {
 public:
  // kInvalid for an unknown name; events that the kernel refuses are no error
  // but listed in unavailable().
  static Result<PerfCounters> Open(pid_t pid,
                                   const std::vector<std::string>& names,
                                   const PerfOptions& options);

  // In the order of the names, those that could be opened.
  std::vector<PerfReading> Read() const;
  const std::vector<Unavailable>& unavailable() const { return unavailable_; }

 private:
  struct Counter {
    PerfEvent event;
    std::vector<UniqueFd> fds;  // one per thread
    bool user_only = false;
  };

  std::vector<Counter> counters_;
  std::vector<Unavailable> unavailable_;
  bool enable_on_exec_ = false;
};

// One counter as the kernel hands it out.
struct RawCount {
  uint64_t value = 0;
  uint64_t time_enabled_ns = 0;
  uint64_t time_running_ns = 0;
};
// The sum over the threads' counts, scaled. `counts_from_exec`: a counter that
// was never enabled says nothing (else the threads did not run, which is 0).
PerfReading SumCounts(const std::vector<RawCount>& counts,
                      bool counts_from_exec);

// perf_event_open for one event on one thread (pid 0: the calling one), with
// the kernel's own work excluded if it permits no more (never for an event that
// happens only there); -1 and errno if not at all. For the doctor, too.
int OpenPerfEvent(const PerfEvent& event, pid_t tid, const PerfOptions& options,
                  bool* user_only);

// kernel.perf_event_paranoid.
std::optional<int64_t> ReadPerfParanoid(
    const std::filesystem::path& proc_root = "/proc");

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_PERF_COUNTERS_H_
