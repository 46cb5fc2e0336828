// ProcessTree: the program under test with all its processes, measured often
// and cheaply.
//
// Knows /proc; must not know who launched the processes or what the figures
// are for. Everything is read from outside: the processes are not touched.
// Two clocks: each Sample() reads small files per process that stay open, and a
// slow clock (SlowClock, about 1 Hz) looks at every thread and at block I/O.
// A figure that cannot be read is listed in unavailable() once.
#ifndef EDGEWISE_PROBES_PROCESS_TREE_H_
#define EDGEWISE_PROBES_PROCESS_TREE_H_

#include <sys/types.h>

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/cgroups.h"
#include "base/clock.h"
#include "base/unavailable.h"
#include "probes/kept_file.h"
#include "probes/process_members.h"
#include "probes/process_text.h"
#include "probes/slow_clock.h"
#include "probes/thread_table.h"
#include "probes/tree_account.h"

namespace edgewise {

int64_t BootClockNs();

struct ProcessTreeOptions {
  std::filesystem::path proc_root = "/proc";
  // Members are the processes in this cgroup and below it, if one is given,
  // and all descendants of the roots. This process itself never is one.
  CgroupFolders cgroup;
  std::vector<pid_t> roots;
  // False: the roots' descendants only (for a guardian that is no part of it).
  bool include_roots = true;
  // These processes and their descendants are no members, wherever they are.
  // They are known by their start times at construction.
  std::vector<pid_t> exclude;
  // True: what members had used before the first Sample() does not count (for
  // attaching to a running program). One that is found only later, but started
  // before, counts from where it is found.
  bool from_now = false;
  // Time since boot, on the clock of the kernel's start times.
  int64_t (*boot_clock_ns)() = BootClockNs;
  // The slow clock ticks some times early on and then at this interval, or
  // more slowly if its work would
  // take more than this share of the time (thousands of threads).
  // True: between slow looks only memory is read of members that are known, at
  // a third of the cost. For trees whose CPU time a cgroup counts.
  bool light_samples = false;
  int64_t slow_interval_ns = kNsPerSecond;
  double most_slow_share_of_time = 0.001;
  // Descriptors to keep open, for processes and again for threads; what is
  // beyond that is opened at each look.
  size_t most_open_files = 256;
};

struct TreeSample {
  ResourceUse use;  // all that was used so far; never goes backwards
  int64_t rss_bytes = 0;
  int64_t threads = 0;
  int64_t processes = 0;  // zombies do not count
  bool detail_is_new = false;
};

// What the slow clock found.
struct TreeDetail {
  ThreadSums sums;
  // nullopt where /proc/PID/io is missing or refused.
  std::optional<int64_t> read_bytes;
  std::optional<int64_t> write_bytes;
};

// Not thread-safe.
class ProcessTree {
 public:
  explicit ProcessTree(ProcessTreeOptions options);
  ~ProcessTree();

  // Finds the members and reads them; with the slow part if that is due.
  TreeSample Sample(int64_t now_ns);
  // The same with the slow part in any case: for the last look before an end.
  TreeSample SampleAll(int64_t now_ns);

  const TreeDetail& detail() const { return detail_; }
  // Busiest first, those that ended included (the busiest of them, if many).
  std::vector<ThreadSample> Threads() const { return threads_.Threads(); }
  // Live members at the last look.
  std::vector<pid_t> pids() const;
  std::vector<Unavailable> unavailable() const;

 private:
  struct Files;
  struct Process;
  enum class Look { kAlive, kReplaced, kGone };

  TreeSample SampleWith(int64_t now_ns, bool slow);
  void FindMembers(bool slow);
  std::vector<pid_t> TidsOf(pid_t pid) const;
  void AddMember(pid_t pid);
  // Reads a process into *process; kReplaced if the pid names another one now.
  Look LookAt(pid_t pid, bool slow, Process* process);
  // Its memory alone; false if that is not enough to tell how it is.
  bool LookLightly(Process* process);
  void ReadIo(pid_t pid, KeptFile* file, Process* process);
  void LookAtThreads();
  // Members that started before this had a past that does not count.
  int64_t PastTicks() const;
  int64_t CpuNs(const Process& process, const ProcStat& stat) const;

  ProcessTreeOptions options_;
  std::optional<CgroupMembers> cgroup_members_;
  ChildFinder child_finder_;
  ExcludedProcesses excluded_;
  bool cpu_clocks_;  // the kernel's clocks of these pids are ours to read
  // In order of pids, so that parents are looked at before their children: a
  // child that ends in between must not count for itself and for its parent.
  std::map<pid_t, std::unique_ptr<Process>> processes_;
  size_t open_files_ = 0;
  TreeAccount account_;
  ThreadTable threads_;
  TreeDetail detail_;
  bool first_ = true;
  int64_t attached_ticks_ = 0;
  SlowClock slow_clock_;
  int io_error_ = 0;
  std::string buffer_;
  std::vector<pid_t> found_;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_PROCESS_TREE_H_
