// ThreadTable: what each thread of the program under test used.
//
// One look costs about ten microseconds per thread, so it is taken on a slow
// clock. The files of threads stay open, and the list of a process's threads is
// read again only if it must have changed. Threads that ended keep their last
// values; when there are very many of them only the busiest are kept by name,
// and the sums keep all.
#ifndef EDGEWISE_PROBES_THREAD_TABLE_H_
#define EDGEWISE_PROBES_THREAD_TABLE_H_

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "probes/kept_file.h"

namespace edgewise {

struct ThreadSample {
  pid_t pid = 0;
  pid_t tid = 0;
  std::string name;
  int64_t cpu_ns = 0;
  std::optional<int64_t> run_queue_wait_ns;
  std::string affinity;  // CPU list at the last look
};

// Sums over all threads ever looked at.
struct ThreadSums {
  std::optional<int64_t> voluntary_switches;
  std::optional<int64_t> involuntary_switches;
  std::optional<int64_t> run_queue_wait_ns;
  // Largest VmHWM of a single process.
  std::optional<int64_t> largest_process_peak_bytes;
};

// Not thread-safe.
class ThreadTable {
 public:
  // Keeps at most `most_open_files` descriptors open (further threads are
  // opened at each look), and at most `most_ended` ended threads by name.
  explicit ThreadTable(std::filesystem::path proc_root = "/proc",
                       size_t most_open_files = 256, size_t most_ended = 256);

  struct Process {
    pid_t pid = 0;
    int64_t threads = 0;  // as its stat says
  };
  // Looks at all threads of these processes; threads that were there before
  // and are not any more have ended. What threads that started before
  // `past_ticks` (since boot) had used when they are first seen does not count.
  void Look(const std::vector<Process>& processes, int64_t past_ticks = 0);
  // A process has another name now (comm changes with exec).
  void Rename(pid_t pid, std::string_view name);

  // The threads of a process at the last look.
  std::vector<pid_t> Tids(pid_t pid) const;

  const ThreadSums& sums() const { return sums_; }
  // Live threads, and the busiest of those that ended; busiest first.
  std::vector<ThreadSample> Threads() const;

 private:
  struct Counters {
    int64_t cpu_ns = 0;
    std::optional<int64_t> run_queue_wait_ns;
    std::optional<int64_t> voluntary_switches;
    std::optional<int64_t> involuntary_switches;
  };
  struct Thread {
    Counters now;
    Counters before;  // not ours to count
    std::string name;
    std::string affinity;
    KeptFile schedstat;
    KeptFile status;
    bool keeps_files = false;  // open between looks, too
    bool seen = false;
  };
  using Key = std::pair<pid_t, pid_t>;
  using Live = std::map<Key, Thread>;

  // True if all threads known of the process are still there and it has no
  // others.
  bool LookAtKnown(const Process& process, int64_t past_ticks);
  // False if there is no such thread (any more).
  bool LookAtThread(const Key& key, int64_t past_ticks);
  bool StartedBefore(const Key& key, int64_t past_ticks);
  std::optional<Counters> ReadCounters(const Key& key, Thread* thread);
  void ReadStatus(const Key& key, Counters* counters, Thread* thread);
  void OpenFiles(const Key& key, Thread* thread);
  Live::iterator End(Live::iterator at);
  void SumUp();
  static Counters Counted(const Thread& thread);
  static void Add(const Counters& counters, ThreadSums* sums);

  std::filesystem::path proc_root_;
  size_t most_open_files_;
  size_t most_ended_;
  size_t open_files_ = 0;
  Live live_;
  std::vector<ThreadSample> ended_;
  ThreadSums ended_sums_;
  ThreadSums sums_;
  std::optional<int64_t> peak_bytes_;
  std::string buffer_;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_THREAD_TABLE_H_
