#include <algorithm>
#include <string>

#include "base/text.h"
#include "sessions/recorder_state.h"

namespace edgewise {
namespace {

constexpr size_t kMostThreads = 64;

double Seconds(int64_t ns) { return static_cast<double>(ns) / 1e9; }

// The part of `time_ns` in a whole of both; all of it if there is none.
double Share(int64_t time_ns, int64_t other_ns) {
  const int64_t whole_ns = time_ns + other_ns;
  return whole_ns > 0
             ? static_cast<double>(time_ns) / static_cast<double>(whole_ns)
             : 1;
}

// Neither account of block I/O has all of it: the cgroup's misses what went
// around its controller, the processes' what they did after the last look.
std::optional<int64_t> Larger(std::optional<int64_t> a,
                              std::optional<int64_t> b) {
  return a && b ? std::max(a, b) : a ? a : b;
}

// Entries with the same reason become one.
std::vector<Unavailable> MergeByReason(const std::vector<Unavailable>& all) {
  std::vector<Unavailable> merged;
  for (const Unavailable& entry : all) {
    const auto same =
        std::find_if(merged.begin(), merged.end(),
                     [&](const Unavailable& m) { return m.why == entry.why; });
    if (same == merged.end()) {
      merged.push_back(entry);
    } else {
      same->what += ", " + entry.what;
    }
  }
  return merged;
}

}  // namespace

// CPU time, faults and switches: the kernel's own account where there is one.
void Recorder::State::FillUse(const std::optional<TreeUsage>& usage,
                              Totals* totals) const {
  const ResourceUse& use = sample.use;
  const ThreadSums& sums = tree->detail().sums;
  if (usage) {
    totals->cpu_user_s = usage->cpu_user_s;
    totals->cpu_system_s = usage->cpu_system_s;
    totals->max_rss_bytes = usage->max_rss_bytes;
    totals->minor_faults = usage->minor_faults;
    totals->major_faults = usage->major_faults;
    totals->voluntary_switches = usage->voluntary_switches;
    totals->involuntary_switches = usage->involuntary_switches;
    // Children that nobody waited for are missing there. The cgroup has them;
    // without one, the samples have them up to their last look. A sample may
    // count a child twice that ends while it is taken: at most all of what was
    // waited for, hence the wide margin.
    const double waited_s = usage->cpu_user_s + usage->cpu_system_s;
    const double seen_s = Seconds(stats.cpu_ns.value_or(use.cpu_ns));
    const double margin = stats.cpu_ns ? 1.01 : 2;
    constexpr double kLaunchCostS = 0.01;
    if (seen_s > waited_s * margin + kLaunchCostS) {
      const bool by_cgroup = stats.user_ns && stats.system_ns &&
                             *stats.user_ns + *stats.system_ns > 0;
      const double user_share = by_cgroup
                                    ? Share(*stats.user_ns, *stats.system_ns)
                                    : Share(use.user_ns, use.system_ns);
      totals->cpu_user_s = seen_s * user_share;
      totals->cpu_system_s = seen_s * (1 - user_share);
    }
    return;
  }
  // An attached process shares its group with others.
  const bool by_cgroup = target.container && stats.cpu_ns;
  const int64_t cpu_ns = by_cgroup ? *stats.cpu_ns : use.cpu_ns;
  const double user_share = by_cgroup && stats.user_ns && stats.system_ns
                                ? Share(*stats.user_ns, *stats.system_ns)
                                : Share(use.user_ns, use.system_ns);
  totals->cpu_user_s = Seconds(cpu_ns) * user_share;
  totals->cpu_system_s = Seconds(cpu_ns) * (1 - user_share);
  totals->max_rss_bytes = sums.largest_process_peak_bytes;
  totals->minor_faults = use.minor_faults;
  totals->major_faults = use.major_faults;
  totals->voluntary_switches = sums.voluntary_switches;
  totals->involuntary_switches = sums.involuntary_switches;
}

// Peaks, waits, I/O and throttling of the tree and its group.
void Recorder::State::FillTree(Totals* totals) const {
  const TreeDetail& detail = tree->detail();
  totals->tree_peak_bytes =
      std::max(peak_rss_bytes, totals->max_rss_bytes.value_or(0));
  totals->max_pss_bytes = max_pss_bytes;
  // A program that is gone before the first look was not counted.
  if (max_processes > 0) {
    totals->max_threads = max_threads;
    totals->max_processes = max_processes;
  }
  if (detail.sums.run_queue_wait_ns) {
    totals->run_queue_wait_s = Seconds(*detail.sums.run_queue_wait_ns);
  }
  totals->block_read_bytes = Larger(stats.read_bytes, detail.read_bytes);
  totals->block_write_bytes = Larger(stats.write_bytes, detail.write_bytes);
  totals->throttled_periods = stats.throttled_periods;
  if (stats.throttled_ns) {
    totals->throttled_s = Seconds(*stats.throttled_ns);
  }
}

void Recorder::State::FillCounters(Run* run) const {
  if (!counters) {
    return;
  }
  for (const PerfReading& reading : counters->Read()) {
    // As perf marks what leaves the kernel's own work out.
    run->counters.push_back({reading.name + (reading.user_only ? ":u" : ""),
                             reading.value, reading.running_share});
    if (reading.name == "cpu-migrations" && reading.value) {
      run->totals.migrations = static_cast<int64_t>(*reading.value);
    }
  }
}

void Recorder::State::FillThreads(Run* run) const {
  const std::vector<ThreadSample> threads = tree->Threads();
  for (size_t i = 0; i < std::min(threads.size(), kMostThreads); ++i) {
    const ThreadSample& thread = threads[i];
    run->threads.push_back(
        {thread.pid, thread.tid, thread.name, Seconds(thread.cpu_ns),
         thread.run_queue_wait_ns
             ? std::optional(Seconds(*thread.run_queue_wait_ns))
             : std::nullopt,
         thread.affinity});
  }
}

void Recorder::State::FillClients(Run* run) const {
  run->clients = rings.accounts();
  if (rings.dropped_without_name() > 0) {
    run->warnings.push_back(
        FormatCount(rings.dropped_without_name(), "record") +
        " of the in-app library dropped (too many threads or names); which "
        "spans they belong to is not known");
  }
  if (collector && collector->refused_clients() > 0) {
    run->warnings.push_back(
        std::to_string(collector->refused_clients()) +
        " connections of the in-app library were turned away, the last one: " +
        collector->last_refusal());
  }
}

// What could not be read, and why.
std::vector<Unavailable> Recorder::State::NotRead(const Totals& totals) const {
  std::vector<Unavailable> all = unavailable;
  const std::vector<Unavailable> of_tree = tree->unavailable();
  all.insert(all.end(), of_tree.begin(), of_tree.end());
  if (!settings.read_pss) {
    all.push_back({"PSS", "--no-pss was given"});
  } else if (!pss->why_not().empty()) {
    all.push_back({"PSS", pss->why_not()});
  } else if (!max_pss_bytes) {
    all.push_back({"PSS", "the program ended before it could be read"});
  }
  const auto& events = settings.events;
  if (!totals.migrations && std::find(events.begin(), events.end(),
                                      "cpu-migrations") == events.end()) {
    all.push_back({"migrations", "--events leaves cpu-migrations out"});
  }
  if (!totals.throttled_periods) {
    all.push_back({"throttling", settings.conditions.cpu_quota_cores
                                     ? "the cgroup does not tell"
                                     : "no --cpu-quota was set"});
  }
  return all;
}

void Recorder::Fill(const std::optional<TreeUsage>& usage, Run* run) const {
  const State& s = *state_;
  s.FillUse(usage, &run->totals);
  s.FillTree(&run->totals);
  s.host->Fill(run);
  s.gpu->Fill(run);
  s.FillCounters(run);
  s.FillThreads(run);
  s.FillClients(run);
  std::vector<Unavailable> all = run->unavailable;
  const std::vector<Unavailable> not_read = s.NotRead(run->totals);
  all.insert(all.end(), not_read.begin(), not_read.end());
  run->unavailable = MergeByReason(all);
}

}  // namespace edgewise
