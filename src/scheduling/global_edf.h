// Earliest deadline first over several cores at once, jobs moving freely: what
// the kernel's SCHED_DEADLINE does where it cannot be pinned.
//
// There is no exact test that is fast. These tests are sufficient: a yes is a
// proof, anything else leaves it open. Preemptive only.
#ifndef EDGEWISE_SCHEDULING_GLOBAL_EDF_H_
#define EDGEWISE_SCHEDULING_GLOBAL_EDF_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "scheduling/task.h"

namespace edgewise::scheduling {

enum class GlobalVerdict {
  kSchedulable,  // proven
  kOpen,         // this test cannot tell
  kOverloaded,   // never: more load than cores, or a job beyond its deadline
};

struct GlobalEdf {
  // U <= M - (M - 1) u_max (Goossens, Funk and Baruah 2003); kOpen where a
  // deadline, less jitter, is shorter than its period.
  GlobalVerdict gfb = GlobalVerdict::kOpen;
  // The same with C / min(D - J, T) in place of C / T.
  GlobalVerdict density = GlobalVerdict::kOpen;
};

// On that many cores. Refused: what CheckTimes refuses, no cores.
Result<GlobalEdf> AnalyseGlobalEdf(std::span<const Task> tasks, int cores);

// How late a job of each task may end, at most, where the load is no more than
// the cores (Devi and Anderson 2008): x + C, with x = (the M - 1 longest C less
// the shortest) / (M - the M - 2 largest loads). For deadlines equal to the
// periods and no jitter; nullopt where tasks have others or there is too much
// load. On one core, 0.
Result<std::optional<std::vector<int64_t>>> TardinessBounds(
    std::span<const Task> tasks, int cores);

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_GLOBAL_EDF_H_
