// ProcessMembers: which processes belong to the program under test.
//
// Finds; does not measure. A process belongs if it is in the given cgroup or a
// group below it, or descends from one of the given roots. Daemons that leave
// their parents keep belonging because ProcessTree remembers whom it has seen.
#ifndef EDGEWISE_PROBES_PROCESS_MEMBERS_H_
#define EDGEWISE_PROBES_PROCESS_MEMBERS_H_

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "probes/kept_file.h"

namespace edgewise {

// All processes in a cgroup and in the groups below it. Not thread-safe.
class CgroupMembers {
 public:
  explicit CgroupMembers(const std::filesystem::path& folder);
  // Appends the pids. A group that is gone has none.
  void Find(std::vector<pid_t>* pids);

 private:
  // Appends the processes of the groups below `folder`.
  void FindBelow(const std::filesystem::path& folder, int depth,
                 std::vector<pid_t>* pids);

  std::filesystem::path folder_;
  KeptFile procs_;
  std::string buffer_;
};

// The children of processes. Reads the children of each thread where the
// kernel keeps such lists, and asks every process for its parent where not.
// Not thread-safe.
class ChildFinder {
 public:
  explicit ChildFinder(std::filesystem::path proc_root);
  // Starts a new look at the system. Where the kernel has no lists, only a
  // `thorough` look finds new processes.
  void Begin(bool thorough);
  // Appends the children that the main thread of `pid` started. `kept` is its
  // list (OpenList), or null if the caller does not keep it open.
  void Find(pid_t pid, KeptFile* kept, std::vector<pid_t>* pids);
  // Appends those that its other threads started.
  void FindOfThreads(pid_t pid, const std::vector<pid_t>& tids,
                     std::vector<pid_t>* pids);

  // The list of the main thread.
  KeptFile OpenList(pid_t pid) const;
  // Whether the kernel has such lists at all (CONFIG_PROC_CHILDREN).
  bool has_lists() const { return has_lists_; }

 private:
  void ScanParents();

  std::filesystem::path proc_root_;
  bool has_lists_;
  // Parent → children, from the last scan; only where there are no lists.
  std::unordered_multimap<pid_t, pid_t> children_;
  std::string buffer_;
};

// Processes that are no members although they are where members are looked for,
// with all their descendants. Remembered by pid and start, so that a reused pid
// is somebody else. Not thread-safe.
class ExcludedProcesses {
 public:
  // Those of `pids` that are there now.
  ExcludedProcesses(std::filesystem::path proc_root,
                    const std::vector<pid_t>& pids);
  bool empty() const { return start_ticks_.empty(); }
  // Adds the descendants that they have now; with `all_threads` those that
  // other threads than the main one started, too.
  void FindDescendants(ChildFinder* finder, bool all_threads);
  // Whether this process is one of them, or a child of one.
  bool Contains(pid_t pid);

 private:
  struct Process {
    pid_t parent_pid = 0;
    int64_t start_ticks = 0;
  };
  std::optional<Process> Read(pid_t pid);

  std::filesystem::path proc_root_;
  std::unordered_map<pid_t, int64_t> start_ticks_;  // since boot, by pid
  std::string buffer_;
};

// The numbers among the names in a folder (pids in /proc, tids in task).
std::vector<pid_t> NumberedEntries(const std::filesystem::path& folder);

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_PROCESS_MEMBERS_H_
