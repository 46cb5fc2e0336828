// What would make a plan where there is none: the smallest changes, each tried.
#ifndef EDGEWISE_SCHEDULING_REMEDIES_H_
#define EDGEWISE_SCHEDULING_REMEDIES_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "scheduling/make_plan.h"

namespace edgewise::scheduling {

// What may stand in for a task: the same model in INT8, say.
struct Alternative {
  size_t task = 0;  // place in the request
  TaskWish instead;
  std::string source;  // the card, for people
};

enum class RemedyKind {
  kAlternative,
  kLongerPeriod,
  kShorterWcet,
  kMoreCores,
  kExecutor,
};

struct Remedy {
  RemedyKind kind = RemedyKind::kLongerPeriod;
  std::string change;   // "Give camera a period of 66.7 ms instead of 50 ms."
  PlanRequest request;  // with the change
};

// Every remedy has a plan: the proof was run again with it. Periods, deadlines
// with them where they are equal, and execution times are the least change, in
// steps of a thousandth; periods up to tenfold. `spare_cores` are cores that
// could be added; beyond them cores are thought of. Empty: no single change
// helps. What is refused on the way counts as no help.
std::vector<Remedy> FindRemedies(const PlanRequest& request,
                                 std::span<const Alternative> alternatives,
                                 std::span<const int> spare_cores);

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_REMEDIES_H_
