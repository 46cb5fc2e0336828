// SampledTree: which processes a sampler's records are kept of.
//
// Where the kernel samples more than the measured program (a whole cgroup, or
// the whole machine), only the program's own processes count: those it began
// with, and whatever they fork. Not thread-safe.
#ifndef EDGEWISE_PROBES_STACKS_SAMPLED_TREE_H_
#define EDGEWISE_PROBES_STACKS_SAMPLED_TREE_H_

#include <sys/types.h>

#include <unordered_set>
#include <vector>

#include "probes/stacks/sample_record.h"

namespace edgewise {

class SampledTree {
 public:
  // Everything counts: the kernel samples nothing else.
  SampledTree() = default;
  explicit SampledTree(const std::vector<pid_t>& processes)
      : filters_(true), members_(processes.begin(), processes.end()) {}

  // Whether a record is of the tree; learns from forks and exits.
  bool Takes(const PerfRecord& record) {
    if (!filters_) {
      return true;
    }
    switch (record.kind) {
      case RecordKind::kFork:
        if (members_.contains(record.parent_pid)) {
          members_.insert(record.pid);
        }
        return members_.contains(record.pid);
      case RecordKind::kExit: {
        const bool is_member = members_.contains(record.pid);
        if (record.pid == record.tid) {
          members_.erase(record.pid);
        }
        return is_member;
      }
      case RecordKind::kLost:
        return true;
      default:
        return members_.contains(record.pid);
    }
  }

 private:
  bool filters_ = false;
  std::unordered_set<pid_t> members_;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_STACKS_SAMPLED_TREE_H_
