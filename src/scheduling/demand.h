// Demand: the work that must be done within any window of length t so that no
// deadline in it is missed, h(t) = sum of max(0, floor((t - D) / T) + 1) C over
// all tasks (Baruah, Rosier and Howell 1990).
//
// Release jitter shortens the deadline D by J. If jobs cannot be preempted, one
// that started just before the window and is due after it comes on top: the
// largest C - 1 of the tasks with D > t (Jeffay, Stanat and Martel 1991). With
// that, too, demand never falls as t grows.
#ifndef EDGEWISE_SCHEDULING_DEMAND_H_
#define EDGEWISE_SCHEDULING_DEMAND_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scheduling/checked.h"
#include "scheduling/task.h"

namespace edgewise::scheduling {

class Demand {
 public:
  // Of tasks that passed CheckTimes.
  Demand(std::span<const Task> tasks, bool preemptive);

  // A task as demand sees it; the deadline is less the jitter and may be
  // negative.
  struct Source {
    int64_t wcet_ns;
    int64_t deadline_ns;
    int64_t period_ns;
  };
  // By deadline, shortest first.
  const std::vector<Source>& sources() const { return sources_; }

  // Demand in t_ns >= 0, of all that is due within it; 0 if nothing is.
  CheckedSum At(int64_t t_ns) const;
  // The part of it that cannot be preempted, of the first `due` sources.
  int64_t BlockingAfter(size_t due) const { return blocking_ns_[due]; }
  int64_t LongestBlocking() const { return blocking_ns_.front(); }
  // The last deadline below t_ns of jobs released together at 0; nullopt if
  // there is none.
  std::optional<int64_t> LastDeadlineBefore(int64_t t_ns) const;

 private:
  std::vector<Source> sources_;
  // [i]: the longest that sources_[i] and later ones may block.
  std::vector<int64_t> blocking_ns_;
};

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_DEMAND_H_
