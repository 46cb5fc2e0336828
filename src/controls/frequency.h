// Holding cores at one clock frequency, by the limits of the kernel's cpufreq
// policies (/sys/devices/system/cpu/cpuN/cpufreq/scaling_{min,max}_freq).
//
// Cores that share a policy share their clock: holding one holds all of them.
// The sysfs root is an argument so that tests can use a fake tree. Sessions
// come here through Guardian::HoldFrequency, which undoes it whatever happens.
#ifndef EDGEWISE_CONTROLS_FREQUENCY_H_
#define EDGEWISE_CONTROLS_FREQUENCY_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "base/result.h"

namespace edgewise {

struct FrequencyPlan {
  int64_t khz = 0;  // one that every policy can have
  std::vector<std::filesystem::path> policies;
};

// What holding `cpus` (empty: all) at about `asked_khz` takes; changes
// nothing. Where the kernel lists the clocks there are, the nearest is taken if
// it is within 5%. Errors say what to do: kInvalid for a clock that the cores
// do not have, kUnsupported without cpufreq, kPermission where its files may
// not be written, kBusy while heat keeps the clock down (the limits read then
// are not those to go back to).
Result<FrequencyPlan> PlanFrequency(
    int64_t asked_khz, const std::vector<int>& cpus,
    const std::filesystem::path& sysfs_root = "/sys");

// Called with each file before any is changed, in the order of the changes.
using NoteOldValue = std::function<Result<void>(const std::filesystem::path&)>;

// Carries out a plan. At each moment no minimum is above its maximum, and also
// not if the changes are undone in the reverse of their order. An error if the
// kernel sets another clock than that of the plan.
Result<void> SetFrequency(const FrequencyPlan& plan, const NoteOldValue& note);

}  // namespace edgewise

#endif  // EDGEWISE_CONTROLS_FREQUENCY_H_
