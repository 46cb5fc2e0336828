// Parsers of the text files that the kernel keeps per process and per thread.
//
// Pure functions; nullopt for text that is not what the kernel writes. Fields
// that some kernels lack are optional.
#ifndef EDGEWISE_PROBES_PROCESS_TEXT_H_
#define EDGEWISE_PROBES_PROCESS_TEXT_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace edgewise {

// Of /proc/PID/stat and /proc/PID/task/TID/stat.
struct ProcStat {
  pid_t pid = 0;
  std::string_view comm;  // into the parsed text; may hold blanks and brackets
  char state = '?';
  pid_t parent_pid = 0;
  int64_t minor_faults = 0;
  int64_t children_minor_faults = 0;  // of children that were waited for
  int64_t major_faults = 0;
  int64_t children_major_faults = 0;
  int64_t user_ticks = 0;
  int64_t system_ticks = 0;
  int64_t children_user_ticks = 0;
  int64_t children_system_ticks = 0;
  int64_t threads = 0;
  int64_t start_ticks = 0;  // since boot; with the pid it names a process
  int64_t rss_pages = 0;

  // Ended, but not waited for yet.
  bool dead() const { return state == 'Z' || state == 'X' || state == 'x'; }
};
std::optional<ProcStat> ParseProcStat(std::string_view text);

// The second number of /proc/PID/statm.
std::optional<int64_t> ParseStatmRssPages(std::string_view text);

// Of /proc/PID/task/TID/schedstat.
struct SchedStat {
  int64_t cpu_ns = 0;
  int64_t run_queue_wait_ns = 0;
};
std::optional<SchedStat> ParseSchedStat(std::string_view text);

// Of /proc/PID/task/TID/status.
struct TaskStatus {
  std::string_view name;              // as the kernel escapes it
  std::string_view allowed_cpus;      // "0-3"
  std::optional<int64_t> peak_bytes;  // VmHWM; absent in kernel threads
  std::optional<int64_t> voluntary_switches;
  std::optional<int64_t> involuntary_switches;
};
TaskStatus ParseTaskStatus(std::string_view text);

// Of /proc/PID/io: what reached the storage layer.
struct ProcIo {
  int64_t read_bytes = 0;
  int64_t write_bytes = 0;
};
std::optional<ProcIo> ParseProcIo(std::string_view text);

// Proportional set size, of /proc/PID/smaps_rollup.
std::optional<int64_t> ParsePssBytes(std::string_view text);

// Appends the pids of cgroup.procs or task/TID/children. What is not a
// positive number is skipped: 0 stands for a process of another pid namespace.
void AppendPids(std::string_view text, std::vector<pid_t>* pids);

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_PROCESS_TEXT_H_
