// The exact search for a partition: depth first, the largest tasks first.
//
// Branches are cut where the load that is left exceeds the cores that are
// left. Cores that are alike and empty are tried once; tasks that are alike
// are placed in the order of cores.
#ifndef EDGEWISE_SCHEDULING_PARTITION_SEARCH_H_
#define EDGEWISE_SCHEDULING_PARTITION_SEARCH_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "scheduling/placement.h"

namespace edgewise::scheduling {

// Indices of tasks: those that need whole cores, then by load; tasks that are
// alike but for their names are neighbours.
std::vector<size_t> LargestFirst(std::span<const Task> tasks);

class PartitionSearch {
 public:
  // The placement must be empty and know the same tasks.
  PartitionSearch(std::span<const Task> tasks, Placement* placement);

  // Looks for a partition onto at most most_cores and leaves it in the
  // placement, which is empty again where there is none. Undecided where all
  // runs together have tried a task on a core more than most_nodes times.
  Result<PartitionOutcome> Run(size_t most_cores, int64_t most_nodes);
  int64_t nodes() const { return nodes_; }

 private:
  Result<bool> Try(size_t task, size_t core);
  Result<bool> Place(size_t depth, size_t first_core);
  Result<bool> PlaceWhole(size_t depth, size_t first_core, int missing);
  bool IsTwinOfEmptyCore(size_t core) const;
  bool HasRoom(size_t depth) const;

  std::span<const Task> tasks_;
  Placement* placement_;
  std::vector<size_t> order_;
  std::vector<double> load_from_;  // of order_[i] and later ones
  std::vector<size_t> alike_;      // the first core that each is like
  size_t most_cores_ = 0;
  int64_t most_nodes_ = 0;
  int64_t nodes_ = 0;
  bool cut_short_ = false;
};

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_PARTITION_SEARCH_H_
