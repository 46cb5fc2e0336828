#include "scheduling/partition_search.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace edgewise::scheduling {
namespace {

// Loads are added up in floating point; a branch is cut only beyond doubt.
constexpr double kDoubt = 1e-6;

auto Shape(const Task& task) {
  return std::tie(task.wcet_ns, task.period_ns, task.deadline_ns,
                  task.jitter_ns, task.cores, task.memory_bytes,
                  task.whole_cores);
}

double LoadOf(const Task& task) {
  return task.whole_cores > 0 ? task.whole_cores : Utilisation({&task, 1});
}

}  // namespace

std::vector<size_t> LargestFirst(std::span<const Task> tasks) {
  std::vector<size_t> order(tasks.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (tasks[a].whole_cores != tasks[b].whole_cores) {
      return tasks[a].whole_cores > tasks[b].whole_cores;
    }
    const double load_a = LoadOf(tasks[a]);
    const double load_b = LoadOf(tasks[b]);
    if (load_a != load_b) return load_a > load_b;
    return Shape(tasks[a]) < Shape(tasks[b]);
  });
  return order;
}

PartitionSearch::PartitionSearch(std::span<const Task> tasks,
                                 Placement* placement)
    : tasks_(tasks), placement_(placement), order_(LargestFirst(tasks)) {
  load_from_.assign(order_.size() + 1, 0);
  for (size_t i = order_.size(); i > 0; --i) {
    load_from_[i - 1] = load_from_[i] + LoadOf(tasks_[order_[i - 1]]);
  }
  for (size_t core = 0; core < placement_->core_count(); ++core) {
    size_t first = 0;
    while (!placement_->AreAlike(first, core)) ++first;
    alike_.push_back(first);
  }
}

Result<PartitionOutcome> PartitionSearch::Run(size_t most_cores,
                                              int64_t most_nodes) {
  most_cores_ = most_cores;
  most_nodes_ = most_nodes;
  cut_short_ = false;
  Result<bool> found = Place(0, 0);
  if (!found.ok()) return found.error();
  if (*found) return PartitionOutcome::kFound;
  return cut_short_ ? PartitionOutcome::kUndecided : PartitionOutcome::kNone;
}

// An earlier core is as empty and alike: a partition that uses this one could
// use that one.
bool PartitionSearch::IsTwinOfEmptyCore(size_t core) const {
  if (!placement_->IsEmpty(core)) return false;
  for (size_t other = 0; other < core; ++other) {
    if (alike_[other] == alike_[core] && placement_->IsEmpty(other)) {
      return true;
    }
  }
  return false;
}

bool PartitionSearch::HasRoom(size_t depth) const {
  double room = 0;
  size_t used = 0;
  for (size_t core = 0; core < placement_->core_count(); ++core) {
    if (placement_->IsEmpty(core)) continue;
    ++used;
    if (!placement_->IsWhole(core)) room += 1 - placement_->Load(core);
  }
  if (used > most_cores_) return false;
  room += static_cast<double>(most_cores_ - used);
  return load_from_[depth] <= room + kDoubt;
}

Result<bool> PartitionSearch::Try(size_t task, size_t core) {
  if (nodes_ >= most_nodes_) {
    cut_short_ = true;
    return false;
  }
  ++nodes_;
  return placement_->Fits(task, core);
}

Result<bool> PartitionSearch::Place(size_t depth, size_t first_core) {
  if (!HasRoom(depth)) return false;
  if (depth == order_.size()) return true;
  const size_t task = order_[depth];
  if (tasks_[task].whole_cores > 0) {
    return PlaceWhole(depth, 0, tasks_[task].whole_cores);
  }
  const bool next_is_alike =
      depth + 1 < order_.size() &&
      Shape(tasks_[task]) == Shape(tasks_[order_[depth + 1]]);
  for (size_t core = first_core; core < placement_->core_count(); ++core) {
    if (IsTwinOfEmptyCore(core)) continue;
    const Result<bool> fits = Try(task, core);
    if (!fits.ok()) return fits;
    if (!*fits) continue;
    placement_->Add(task, core);
    Result<bool> placed = Place(depth + 1, next_is_alike ? core : 0);
    if (!placed.ok() || *placed) return placed;
    placement_->Remove(task, core);
  }
  return false;
}

Result<bool> PartitionSearch::PlaceWhole(size_t depth, size_t first_core,
                                         int missing) {
  if (missing == 0) return Place(depth + 1, 0);
  const size_t task = order_[depth];
  for (size_t core = first_core; core < placement_->core_count(); ++core) {
    if (IsTwinOfEmptyCore(core)) continue;
    const Result<bool> fits = Try(task, core);
    if (!fits.ok()) return fits;
    if (!*fits) continue;
    placement_->Add(task, core);
    Result<bool> placed = PlaceWhole(depth, core + 1, missing - 1);
    if (!placed.ok() || *placed) return placed;
    placement_->Remove(task, core);
  }
  return false;
}

}  // namespace edgewise::scheduling
