// Plans as YAML, both ways. docs/formats/plan.md describes every key.
#ifndef EDGEWISE_SCHEDULING_PLAN_FILE_H_
#define EDGEWISE_SCHEDULING_PLAN_FILE_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "scheduling/plan.h"

namespace edgewise {

// `origin` is the file's name for messages ("plan.yaml:3: …"). Refused: what
// ReadYaml refuses, keys twice or unknown, texts where numbers belong, times
// that are not above 0 or do not fit, a task without name, cores, period_ms,
// deadline_ms or wcet_ms, a wcet or names that contradict (wcet above
// deadline, two tasks of one name).
Result<Plan> ReadPlan(std::string_view yaml, std::string_view origin);

// YAML with a comment on units on top and keys in a fixed order; ReadPlan
// gives the same plan back.
std::string WritePlan(const Plan& plan);

}  // namespace edgewise

#endif  // EDGEWISE_SCHEDULING_PLAN_FILE_H_
