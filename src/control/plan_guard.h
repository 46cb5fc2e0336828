// PlanGuard: whether a change to an app leaves the plans in force provable.
#ifndef EDGEWISE_CONTROL_PLAN_GUARD_H_
#define EDGEWISE_CONTROL_PLAN_GUARD_H_

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "control/observation.h"
#include "execution/active_plan.h"

namespace edgewise::control {

// Why a process must not get that setting; empty if it may. The proof of the
// task that it is (if it is one) is redone with the setting: quotas as a supply
// that comes late, cores as where its jobs may run.
std::string WhyUnsafe(const std::vector<ActivePlan>& plans, pid_t pid,
                      const AppSetting& setting);

// The setting without what must not be set; what was left out, and why.
struct SafeSetting {
  AppSetting setting;
  std::string refusal;  // empty: nothing was left out
};
SafeSetting MakeSafe(const std::vector<ActivePlan>& plans, pid_t pid,
                     const AppSetting& setting);

}  // namespace edgewise::control

#endif  // EDGEWISE_CONTROL_PLAN_GUARD_H_
