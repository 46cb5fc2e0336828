#include "probes/thread_table.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "probes/cpu_stat.h"
#include "probes/process_members.h"
#include "probes/process_text.h"

namespace edgewise {
namespace {

constexpr size_t kFilesPerThread = 2;

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

std::filesystem::path TaskFolder(const std::filesystem::path& proc_root,
                                 const std::pair<pid_t, pid_t>& key) {
  return proc_root / std::to_string(key.first) / "task" /
         std::to_string(key.second);
}

}  // namespace

ThreadTable::ThreadTable(std::filesystem::path proc_root,
                         size_t most_open_files, size_t most_ended)
    : proc_root_(std::move(proc_root)),
      most_open_files_(most_open_files),
      most_ended_(most_ended) {}

void ThreadTable::Look(const std::vector<Process>& processes,
                       int64_t past_ticks) {
  for (auto& [key, thread] : live_) {
    thread.seen = false;
  }
  for (const Process& process : processes) {
    if (LookAtKnown(process, past_ticks)) {
      continue;
    }
    const std::filesystem::path folder =
        proc_root_ / std::to_string(process.pid) / "task";
    for (const pid_t tid : NumberedEntries(folder)) {
      const Key key{process.pid, tid};
      const auto at = live_.find(key);
      if (at == live_.end() || !at->second.seen) {
        LookAtThread(key, past_ticks);
      }
    }
  }
  for (auto at = live_.begin(); at != live_.end();) {
    at = at->second.seen ? std::next(at) : End(at);
  }
  SumUp();
}

bool ThreadTable::LookAtKnown(const Process& process, int64_t past_ticks) {
  int64_t there = 0;
  bool same = true;
  for (const pid_t tid : Tids(process.pid)) {
    if (LookAtThread({process.pid, tid}, past_ticks)) {
      ++there;
    } else {
      same = false;
    }
  }
  return same && there > 0 && there == process.threads;
}

std::vector<pid_t> ThreadTable::Tids(pid_t pid) const {
  std::vector<pid_t> tids;
  for (auto at = live_.lower_bound({pid, 0});
       at != live_.end() && at->first.first == pid; ++at) {
    tids.push_back(at->first.second);
  }
  return tids;
}

void ThreadTable::OpenFiles(const Key& key, Thread* thread) {
  const std::filesystem::path folder = TaskFolder(proc_root_, key);
  thread->schedstat = KeptFile(folder / "schedstat");
  thread->status = KeptFile(folder / "status");
}

std::optional<ThreadTable::Counters> ThreadTable::ReadCounters(const Key& key,
                                                               Thread* thread) {
  Counters counters;
  if (const auto text = thread->schedstat.Read(&buffer_, true)) {
    const auto sched = ParseSchedStat(*text);
    if (!sched) {
      return std::nullopt;
    }
    counters.cpu_ns = sched->cpu_ns;
    counters.run_queue_wait_ns = sched->run_queue_wait_ns;
    return counters;
  }
  // A kernel without scheduler statistics: ticks, and no waiting times.
  KeptFile stat_file(TaskFolder(proc_root_, key) / "stat");
  const auto text = stat_file.Read(&buffer_, true);
  const auto stat = text ? ParseProcStat(*text) : std::nullopt;
  if (!stat) {
    return std::nullopt;
  }
  counters.cpu_ns =
      TicksToNs(stat->user_ticks + stat->system_ticks, TicksPerSecond());
  return counters;
}

void ThreadTable::ReadStatus(const Key& key, Counters* counters,
                             Thread* thread) {
  const auto text = thread->status.Read(&buffer_, true);
  if (!text) {  // ended between the two reads; what was known stays
    counters->voluntary_switches = thread->now.voluntary_switches;
    counters->involuntary_switches = thread->now.involuntary_switches;
    return;
  }
  const TaskStatus status = ParseTaskStatus(*text);
  thread->name = status.name;
  thread->affinity = status.allowed_cpus;
  counters->voluntary_switches = status.voluntary_switches;
  counters->involuntary_switches = status.involuntary_switches;
  if (status.peak_bytes && key.first == key.second) {
    peak_bytes_ = std::max(peak_bytes_.value_or(0), *status.peak_bytes);
  }
}

bool ThreadTable::LookAtThread(const Key& key, int64_t past_ticks) {
  auto at = live_.find(key);
  Thread fresh;
  Thread* thread = at == live_.end() ? &fresh : &at->second;
  if (!thread->keeps_files) {
    OpenFiles(key, thread);
  }
  auto counters = ReadCounters(key, thread);
  if (!counters) {
    return false;
  }
  if (at != live_.end() && counters->cpu_ns < thread->now.cpu_ns) {
    // CPU time never steps back: the number now names another thread.
    End(at);
    at = live_.end();
    OpenFiles(key, &fresh);
  }
  const bool is_new = at == live_.end();
  if (is_new) {
    fresh.keeps_files = open_files_ + kFilesPerThread <= most_open_files_;
    open_files_ += fresh.keeps_files ? kFilesPerThread : 0;
    at = live_.emplace(key, std::move(fresh)).first;
  }
  thread = &at->second;
  ReadStatus(key, &*counters, thread);
  thread->seen = true;
  thread->now = *counters;
  if (is_new && StartedBefore(key, past_ticks)) {
    thread->before = *counters;
  }
  if (!thread->keeps_files) {
    thread->schedstat = KeptFile();
    thread->status = KeptFile();
  }
  return true;
}

bool ThreadTable::StartedBefore(const Key& key, int64_t past_ticks) {
  if (past_ticks <= 0 || past_ticks == std::numeric_limits<int64_t>::max()) {
    return past_ticks > 0;
  }
  KeptFile stat_file(TaskFolder(proc_root_, key) / "stat");
  const auto text = stat_file.Read(&buffer_, true);
  const auto stat = text ? ParseProcStat(*text) : std::nullopt;
  return stat && stat->start_ticks < past_ticks;
}

void ThreadTable::Rename(pid_t pid, std::string_view name) {
  if (const auto main = live_.find({pid, pid}); main != live_.end()) {
    main->second.name = name;
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

ThreadTable::Live::iterator ThreadTable::End(Live::iterator at) {
  const auto& [key, thread] = *at;
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
  open_files_ -= thread.keeps_files ? kFilesPerThread : 0;
  return live_.erase(at);
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
