// What this machine's kernel leaves to real-time policies.
#ifndef EDGEWISE_SCHEDULING_REAL_TIME_LIMITS_H_
#define EDGEWISE_SCHEDULING_REAL_TIME_LIMITS_H_

#include <filesystem>
#include <optional>

#include "scheduling/core_rules.h"

namespace edgewise::scheduling {

// sched_rt_runtime_us and sched_rt_period_us; nullopt where throttling is
// switched off (-1). The kernel's defaults where the files cannot be read. The
// root is an argument for tests.
std::optional<Throttling> ReadThrottling(
    const std::filesystem::path& root = "/");

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_REAL_TIME_LIMITS_H_
