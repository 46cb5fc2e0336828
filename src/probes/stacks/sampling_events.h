// Opens the kernel's sampling events on a program, by the best way that this
// user is permitted.
#ifndef EDGEWISE_PROBES_STACKS_SAMPLING_EVENTS_H_
#define EDGEWISE_PROBES_STACKS_SAMPLING_EVENTS_H_

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "probes/stacks/perf_ring.h"
#include "probes/stacks/sample_record.h"
#include "probes/stacks/sampled_tree.h"

namespace edgewise {

// What is sampled.
struct SamplingTarget {
  // A process that is held before exec, or one that runs (attached).
  pid_t pid = 0;
  bool attached = false;
  // If attached: all processes of the tree. Otherwise empty, unless the
  // cgroup holds others too, which must not count.
  std::vector<pid_t> processes;
  // Folder of the v2 cgroup that they are all in; empty if there is none.
  std::filesystem::path cgroup;
};

struct SamplingEvents {
  std::vector<PerfRing> rings;  // one for each CPU
  SampledTree tree;
  // The kernel's part of the stacks may not be seen.
  bool user_only = false;
  // Processes that fork between two looks may be missed by a few percent.
  bool by_inheritance = false;
};

// One event for each CPU on the cgroup, which catches every descendant and
// needs privileges; else on each thread, inherited by what it starts. The
// error says which setting is in the way. The events do not count yet.
Result<SamplingEvents> OpenSamplingEvents(const SamplingTarget& target,
                                          SamplingOptions options);

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_STACKS_SAMPLING_EVENTS_H_
