#include "scheduling/demand.h"

#include <algorithm>

namespace edgewise::scheduling {

Demand::Demand(std::span<const Task> tasks, bool preemptive) {
  sources_.reserve(tasks.size());
  for (const Task& task : tasks) {
    sources_.push_back(
        {task.wcet_ns, task.deadline_ns - task.jitter_ns, task.period_ns});
  }
  std::sort(sources_.begin(), sources_.end(),
            [](const Source& a, const Source& b) {
              return a.deadline_ns < b.deadline_ns;
            });
  blocking_ns_.assign(sources_.size() + 1, 0);
  if (preemptive) return;
  for (size_t i = sources_.size(); i > 0; --i) {
    blocking_ns_[i - 1] =
        std::max(blocking_ns_[i], sources_[i - 1].wcet_ns - 1);
  }
}

CheckedSum Demand::At(int64_t t_ns) const {
  CheckedSum sum;
  size_t due = 0;
  for (; due < sources_.size() && sources_[due].deadline_ns <= t_ns; ++due) {
    const Source& source = sources_[due];
    sum.AddProduct((t_ns - source.deadline_ns) / source.period_ns + 1,
                   source.wcet_ns);
  }
  if (due > 0) sum.Add(blocking_ns_[due]);
  return sum;
}

std::optional<int64_t> Demand::LastDeadlineBefore(int64_t t_ns) const {
  std::optional<int64_t> last;
  for (const Source& source : sources_) {
    if (source.deadline_ns >= t_ns) break;
    const int64_t past_ns = (t_ns - 1 - source.deadline_ns) % source.period_ns;
    last = std::max(last.value_or(source.deadline_ns), t_ns - 1 - past_ns);
  }
  return last;
}

}  // namespace edgewise::scheduling
