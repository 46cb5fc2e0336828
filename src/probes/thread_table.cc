#include "probes/thread_table.h"

#include <dirent.h>
#include <fcntl.h>

#include <algorithm>

#include "base/text.h"
#include "base/unique_fd.h"
#include "probes/cpu_stat.h"
#include "probes/kept_file.h"
#include "probes/process_members.h"
#include "probes/process_text.h"

namespace edgewise {
namespace {

std::optional<std::string_view> ReadAt(int folder_fd, const std::string& path,
                                       std::string* buffer) {
  const UniqueFd fd(::openat(folder_fd, path.c_str(), O_RDONLY | O_CLOEXEC));
  return fd.valid() ? ReadAgain(fd.get(), buffer, true) : std::nullopt;
}

void AddTo(std::optional<int64_t> value, std::optional<int64_t>* sum) {
  if (value) {
    *sum = sum->value_or(0) + *value;
  }
}

std::optional<int64_t> Minus(std::optional<int64_t> now,
                             std::optional<int64_t> before) {
  return now ? std::optional(*now - before.value_or(0)) : std::nullopt;
}

bool Busier(const ThreadSample& a, const ThreadSample& b) {
  return a.cpu_ns != b.cpu_ns
             ? a.cpu_ns > b.cpu_ns
             : std::pair(a.pid, a.tid) < std::pair(b.pid, b.tid);
}

}  // namespace

ThreadTable::ThreadTable(std::filesystem::path proc_root, size_t most_ended)
    : proc_root_(std::move(proc_root)), most_ended_(most_ended) {}

void ThreadTable::Look(const std::vector<pid_t>& pids, bool from_now) {
  for (auto& [key, thread] : live_) {
    thread.seen = false;
  }
  for (const pid_t pid : pids) {
    const std::filesystem::path folder =
        proc_root_ / std::to_string(pid) / "task";
    const UniqueFd task_fd(
        ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!task_fd.valid()) {
      continue;
    }
    for (const pid_t tid : NumberedEntries(folder)) {
      LookAtThread(task_fd.get(), {pid, tid}, from_now);
    }
  }
  for (auto at = live_.begin(); at != live_.end();) {
    if (at->second.seen) {
      ++at;
    } else {
      End(at->first, at->second);
      at = live_.erase(at);
    }
  }
  SumUp();
}

void ThreadTable::LookAtThread(int task_fd, Key key, bool from_now) {
  const std::string tid = std::to_string(key.second);
  Counters counters;
  if (const auto text = ReadAt(task_fd, tid + "/schedstat", &buffer_)) {
    const auto sched = ParseSchedStat(*text);
    if (!sched) {
      return;
    }
    counters.cpu_ns = sched->cpu_ns;
    counters.run_queue_wait_ns = sched->run_queue_wait_ns;
  } else if (const auto stat_text = ReadAt(task_fd, tid + "/stat", &buffer_)) {
    // A kernel without scheduler statistics: ticks, and no waiting times.
    const auto stat = ParseProcStat(*stat_text);
    if (!stat) {
      return;
    }
    counters.cpu_ns =
        TicksToNs(stat->user_ticks + stat->system_ticks, TicksPerSecond());
  } else {
    return;
  }
  auto at = live_.find(key);
  if (at != live_.end() && counters.cpu_ns < at->second.now.cpu_ns) {
    // CPU time never steps back: the number now names another thread.
    End(key, at->second);
    live_.erase(at);
    at = live_.end();
  }
  const bool is_new = at == live_.end();
  Thread& thread = is_new ? live_[key] : at->second;
  thread.seen = true;
  if (const auto text = ReadAt(task_fd, tid + "/status", &buffer_)) {
    const TaskStatus status = ParseTaskStatus(*text);
    thread.name = status.name;
    thread.affinity = status.allowed_cpus;
    counters.voluntary_switches = status.voluntary_switches;
    counters.involuntary_switches = status.involuntary_switches;
    if (status.peak_bytes) {
      peak_bytes_ = std::max(peak_bytes_.value_or(0), *status.peak_bytes);
    }
  } else {  // ended between the two reads; what was known stays
    counters.voluntary_switches = thread.now.voluntary_switches;
    counters.involuntary_switches = thread.now.involuntary_switches;
  }
  thread.now = counters;
  if (is_new && from_now) {
    thread.before = counters;
  }
}

ThreadTable::Counters ThreadTable::Counted(const Thread& thread) {
  Counters counted;
  counted.cpu_ns = thread.now.cpu_ns - thread.before.cpu_ns;
  counted.run_queue_wait_ns =
      Minus(thread.now.run_queue_wait_ns, thread.before.run_queue_wait_ns);
  counted.voluntary_switches =
      Minus(thread.now.voluntary_switches, thread.before.voluntary_switches);
  counted.involuntary_switches = Minus(thread.now.involuntary_switches,
                                       thread.before.involuntary_switches);
  return counted;
}

void ThreadTable::Add(const Counters& counters, ThreadSums* sums) {
  AddTo(counters.voluntary_switches, &sums->voluntary_switches);
  AddTo(counters.involuntary_switches, &sums->involuntary_switches);
  AddTo(counters.run_queue_wait_ns, &sums->run_queue_wait_ns);
}

void ThreadTable::End(const Key& key, const Thread& thread) {
  const Counters counted = Counted(thread);
  Add(counted, &ended_sums_);
  ended_.push_back({key.first, key.second, thread.name, counted.cpu_ns,
                    counted.run_queue_wait_ns, thread.affinity});
  // Trimmed in batches, so that each ended thread costs a constant time.
  if (ended_.size() >= 2 * most_ended_ + 1) {
    std::nth_element(ended_.begin(),
                     ended_.begin() + static_cast<ptrdiff_t>(most_ended_),
                     ended_.end(), Busier);
    ended_.resize(most_ended_);
  }
}

void ThreadTable::SumUp() {
  sums_ = ended_sums_;
  for (const auto& [key, thread] : live_) {
    Add(Counted(thread), &sums_);
  }
  sums_.largest_process_peak_bytes = peak_bytes_;
}

std::vector<ThreadSample> ThreadTable::Threads() const {
  std::vector<ThreadSample> threads = ended_;
  std::sort(threads.begin(), threads.end(), Busier);
  threads.resize(std::min(threads.size(), most_ended_));
  for (const auto& [key, thread] : live_) {
    const Counters counted = Counted(thread);
    threads.push_back({key.first, key.second, thread.name, counted.cpu_ns,
                       counted.run_queue_wait_ns, thread.affinity});
  }
  std::sort(threads.begin(), threads.end(), Busier);
  return threads;
}

}  // namespace edgewise
