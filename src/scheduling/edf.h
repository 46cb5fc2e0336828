// Earliest deadline first on one core: does every job meet its deadline,
// whenever the tasks release their jobs?
//
// Exact for constrained and arbitrary deadlines: demand is compared with supply
// at the deadlines of a busy period, walked backwards (quick processor-demand
// analysis, Zhang and Burns 2009). Without preemption exact too, for a
// scheduler that never idles while a job is ready and for times in whole
// nanoseconds (Jeffay, Stanat and Martel 1991; George, Rivierre and Spuri
// 1996). On a supply other than a whole core the verdict is exact for the
// worst supply that the bound allows.
#ifndef EDGEWISE_SCHEDULING_EDF_H_
#define EDGEWISE_SCHEDULING_EDF_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "scheduling/supply.h"
#include "scheduling/task.h"

namespace edgewise::scheduling {

struct EdfRules {
  bool preemptive = true;
  Supply supply = {};
};

// Why a deadline may be missed: in some window of t_ns more work is due than
// the core does.
struct Witness {
  int64_t t_ns = 0;
  int64_t demand_ns = 0;
  int64_t supply_ns = 0;
  // The shortest such window; false where finding it would take too long.
  bool first = true;

  bool operator==(const Witness&) const = default;
};

struct EdfVerdict {
  bool schedulable = false;
  // Of a set that is not; absent where the load exceeds the supply by so
  // little that no window within reach shows it.
  std::optional<Witness> witness;
};

// The verdict with its witness. Refused: what CheckTimes refuses, times that
// do not fit, analyses that take too long (loads of almost exactly 100% with
// unrelated periods).
Result<EdfVerdict> AnalyseEdf(std::span<const Task> tasks,
                              const EdfRules& rules = {});
// The verdict alone, faster where it is no.
Result<bool> IsEdfSchedulable(std::span<const Task> tasks,
                              const EdfRules& rules = {});

// "Within some 12 ms, 13 ms of work must be done, and the core does 12 ms."
std::string Explain(const Witness& witness);

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_EDF_H_
