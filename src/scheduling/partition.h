// Partitioning: which task runs on which core, so that every core passes an
// exact test. Either a partition, or the statement that there is none.
#ifndef EDGEWISE_SCHEDULING_PARTITION_H_
#define EDGEWISE_SCHEDULING_PARTITION_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "scheduling/core_test.h"
#include "scheduling/task.h"

namespace edgewise::scheduling {

// Tasks on these cores have so much memory together. A task on whole cores of
// several groups counts in each.
struct MemoryGroup {
  std::vector<int> cores;
  int64_t memory_bytes = 0;
};

struct Platform {
  std::vector<int> cores;           // numbers, each once
  std::vector<MemoryGroup> memory;  // a core is in one of them at most
};

enum class Fit {
  kFirst,  // the first core that holds the task
  kBest,   // the fullest that does
  kWorst,  // the emptiest that does: spreads the load
};

struct PartitionRequest {
  std::vector<Fit> fits = {Fit::kFirst, Fit::kBest, Fit::kWorst};  // in order
  bool decreasing = true;  // tasks with the largest load first
  bool search = true;      // exactly, where all of them fail
  // Searches for the partition that uses the fewest cores even where they
  // succeed.
  bool fewest_cores = false;
  // A task tried on a core is a node; about 10 us each with tens of tasks.
  int64_t most_nodes = 300'000;
};

enum class PartitionOutcome {
  kFound,
  kNone,       // proven, unless `search` was off
  kUndecided,  // the search ended before it had seen everything
};

struct Partition {
  PartitionOutcome outcome = PartitionOutcome::kNone;
  // For each task the core it runs on, or its whole cores; empty unless found.
  std::vector<std::vector<int>> cores_of;
  // "First fit found a partition.", "No partition exists: ..."
  std::string statement;
  int64_t nodes = 0;           // of the search
  bool proven_fewest = false;  // no partition uses fewer cores
};

// Whole-core tasks get cores that nobody else uses and must pass the test
// alone. Refused: what CheckTasks refuses, no or repeated cores, a task that
// may run on none of them, what the test refuses.
Result<Partition> MakePartition(std::span<const Task> tasks,
                                const Platform& platform, const CoreTest& test,
                                const PartitionRequest& request = {});

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_PARTITION_H_
