// Placement: tasks put on cores so far, and whether one more fits.
#ifndef EDGEWISE_SCHEDULING_PLACEMENT_H_
#define EDGEWISE_SCHEDULING_PLACEMENT_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "scheduling/core_test.h"
#include "scheduling/partition.h"
#include "scheduling/task.h"

namespace edgewise::scheduling {

// Cores are named by their place in the platform's list. The tasks, the
// platform and the test must outlive it.
class Placement {
 public:
  Placement(std::span<const Task> tasks, const Platform& platform,
            const CoreTest& test);

  size_t core_count() const { return cores_.size(); }
  bool IsEmpty(size_t core) const { return cores_[core].tasks.empty(); }
  // Held by a task that needs it whole.
  bool IsWhole(size_t core) const { return cores_[core].whole; }
  // Execution time over period of what runs there; for choosing only.
  double Load(size_t core) const { return cores_[core].load; }
  size_t UsedCores() const;
  bool Allows(size_t task, size_t core) const;
  // Whether the cores are the same for every task: allowed to the same, in the
  // same group of memory.
  bool AreAlike(size_t a, size_t b) const;

  // Whether the task may be added: allowed, memory left, test passed. A task
  // that needs whole cores only asks for one of them here.
  Result<bool> Fits(size_t task, size_t core);
  void Add(size_t task, size_t core);
  // Undoes the last Add to that core.
  void Remove(size_t task, size_t core);
  // Takes all tasks away; what was tested stays known.
  void Clear();
  // The platform's numbers, for each task.
  std::vector<std::vector<int>> CoresOf() const;

 private:
  struct Core {
    std::vector<size_t> tasks;
    double load = 0;
    bool whole = false;
    size_t group = 0;  // place in groups_; the last is without limit
  };
  struct Group {
    int64_t left_bytes = 0;
  };

  bool HasMemoryFor(size_t task, size_t core) const;
  bool HoldsInGroup(size_t task, size_t group) const;
  Result<bool> Passes(const std::vector<size_t>& together);

  std::span<const Task> tasks_;
  const Platform& platform_;
  const CoreTest& test_;
  std::vector<Core> cores_;
  std::vector<Group> groups_;
  std::unordered_map<uint64_t, bool> known_;  // by set, up to 64 tasks
};

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_PLACEMENT_H_
