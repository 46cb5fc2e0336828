// Applies a plan to programs that run already.
#ifndef EDGEWISE_EXECUTION_APPLY_PLAN_H_
#define EDGEWISE_EXECUTION_APPLY_PLAN_H_

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "execution/apply_program.h"
#include "scheduling/plan.h"

namespace edgewise {

struct ApplyRequest {
  Plan plan;
  std::map<std::string, pid_t> pids;  // of tasks; others are found by command
  bool dry_run = false;               // nothing is changed
  bool force = false;                 // also a plan for another machine
  bool cpusets = true;
};

struct ApplyReport {
  std::vector<AppliedChange> changes;
  std::vector<std::string> warnings;
  Plan plan;  // as it is applied, with the proofs for that
  bool proven = false;
};

// Nothing is changed before every program is found and the plan checked. Then
// each change is journalled (UndoApplied undoes it), made, and told to the
// listener, which may be empty. Changes last when this process has ended.
Result<ApplyReport> ApplyPlan(const std::filesystem::path& home,
                              const ApplyRequest& request,
                              const ChangeListener& listener);

}  // namespace edgewise

#endif  // EDGEWISE_EXECUTION_APPLY_PLAN_H_
