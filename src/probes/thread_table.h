// ThreadTable: what each thread of the program under test used.
//
// One look costs about ten microseconds per thread, so it is taken on a slow
// clock. Threads that ended keep their last values; when there are very many
// of them only the busiest are kept by name, and the sums keep all.
#ifndef EDGEWISE_PROBES_THREAD_TABLE_H_
#define EDGEWISE_PROBES_THREAD_TABLE_H_

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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
  // At most `most_ended` ended threads are kept by name.
  explicit ThreadTable(std::filesystem::path proc_root = "/proc",
                       size_t most_ended = 256);

  // Looks at all threads of these processes; threads that were there before
  // and are not any more have ended. With `from_now`, what threads that are
  // seen for the first time have used so far does not count.
  void Look(const std::vector<pid_t>& pids, bool from_now);

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
    bool seen = false;
  };
  using Key = std::pair<pid_t, pid_t>;

  void LookAtThread(int task_fd, Key key, bool from_now);
  void End(const Key& key, const Thread& thread);
  void SumUp();
  static Counters Counted(const Thread& thread);
  static void Add(const Counters& counters, ThreadSums* sums);

  std::filesystem::path proc_root_;
  size_t most_ended_;
  std::map<Key, Thread> live_;
  std::vector<ThreadSample> ended_;
  ThreadSums ended_sums_;
  ThreadSums sums_;
  std::optional<int64_t> peak_bytes_;
  std::string buffer_;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_THREAD_TABLE_H_
