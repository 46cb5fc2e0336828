#include "probes/stacks/perf_map_watch.h"

#include <iterator>

#include "base/clock.h"

namespace edgewise {
namespace {

constexpr int64_t kFirstLookNs = 250 * kNsPerMs;
constexpr size_t kMostProcesses = 256;

}  // namespace

void PerfMapWatch::Sampled(pid_t pid, int64_t now_ns) {
  if (sampled_.size() < kMostProcesses && sampled_.insert(pid).second) {
    missing_[pid] = {now_ns + kFirstLookNs, kFirstLookNs};
  }
}

void PerfMapWatch::Look(int64_t now_ns) {
  for (auto entry = missing_.begin(); entry != missing_.end();) {
    auto& [pid, due] = *entry;
    if (now_ns < due.at_ns) {
      ++entry;
      continue;
    }
    due.interval_ns *= 2;
    due.at_ns = now_ns + due.interval_ns;
    entry = Find(pid) ? missing_.erase(entry) : std::next(entry);
  }
}

void PerfMapWatch::Ended(pid_t pid) {
  if (missing_.erase(pid) > 0) {
    (void)Find(pid);
  }
  sampled_.erase(pid);
}

void PerfMapWatch::Finish() {
  for (const auto& [pid, due] : missing_) {
    (void)Find(pid);
  }
  missing_.clear();
}

bool PerfMapWatch::Find(pid_t pid) {
  stacks::SpooledLife life;
  life.event = stacks::LifeEvent::kPerfMap;
  life.pid = pid;
  life.file = files_.PerfMapOf(pid, spool_);
  if (life.file == 0) {
    return false;
  }
  spool_.Add(life);
  return true;
}

}  // namespace edgewise
