#include "gpu/intervals.h"

#include <algorithm>

namespace edgewise::gpu {

std::vector<Interval> Union(std::vector<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& a, const Interval& b) {
              return a.start_ns < b.start_ns;
            });
  std::vector<Interval> merged;
  for (const Interval& interval : intervals) {
    if (!merged.empty() && interval.start_ns <= merged.back().end_ns) {
      merged.back().end_ns = std::max(merged.back().end_ns, interval.end_ns);
    } else {
      merged.push_back(interval);
    }
  }
  return merged;
}

uint64_t TotalNs(const std::vector<Interval>& disjoint) {
  uint64_t total_ns = 0;
  for (const Interval& interval : disjoint) {
    total_ns += interval.end_ns - interval.start_ns;
  }
  return total_ns;
}

uint64_t SharedNs(const std::vector<Interval>& a,
                  const std::vector<Interval>& b) {
  uint64_t shared_ns = 0;
  auto i = a.begin();
  auto j = b.begin();
  while (i != a.end() && j != b.end()) {
    const uint64_t start_ns = std::max(i->start_ns, j->start_ns);
    const uint64_t end_ns = std::min(i->end_ns, j->end_ns);
    shared_ns += end_ns > start_ns ? end_ns - start_ns : 0;
    if (i->end_ns < j->end_ns) {
      ++i;
    } else {
      ++j;
    }
  }
  return shared_ns;
}

}  // namespace edgewise::gpu
