// Plans that are in force on this machine: applied to running programs, until
// that is undone. Whoever wants to change such a program looks here first.
#ifndef EDGEWISE_EXECUTION_ACTIVE_PLAN_H_
#define EDGEWISE_EXECUTION_ACTIVE_PLAN_H_

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "scheduling/plan.h"

namespace edgewise {

struct PlannedProcess {
  pid_t pid = 0;
  uint64_t start_ticks = 0;  // tells a reused number
  bool operator==(const PlannedProcess&) const = default;
};

struct ActivePlan {
  Plan plan;                                        // as it is applied
  std::map<std::string, PlannedProcess> processes;  // by task
};

// Text, both ways (docs/formats/applied.md).
std::string FormatActivePlan(const ActivePlan& active,
                             std::string_view boot_id);
// nullopt if it is of another boot; kCorrupt if it makes no sense.
Result<std::optional<ActivePlan>> ParseActivePlan(std::string_view text,
                                                  std::string_view boot_id);

// Adds a plan to those in force; RemoveActivePlans removes all.
Result<void> AddActivePlan(const std::filesystem::path& home,
                           const ActivePlan& active);
void RemoveActivePlans(const std::filesystem::path& home);
// Those of this boot of which a process still runs. A file that cannot be read
// is an error: what it says must not be overlooked.
Result<std::vector<ActivePlan>> ReadActivePlans(
    const std::filesystem::path& home);

}  // namespace edgewise

#endif  // EDGEWISE_EXECUTION_ACTIVE_PLAN_H_
