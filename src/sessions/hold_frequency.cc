#include "sessions/hold_frequency.h"

#include <string>

#include "base/units.h"
#include "controls/frequency.h"

namespace edgewise {
namespace {

Result<FrequencyPlan> PlanFor(const SessionSettings& settings) {
  return PlanFrequency(*settings.conditions.frequency_khz,
                       settings.conditions.cpus, settings.sysfs_root);
}

}  // namespace

Result<void> CheckFrequency(const SessionSettings& settings) {
  if (!settings.conditions.frequency_khz) {
    return {};
  }
  const auto plan = PlanFor(settings);
  if (!plan) {
    return Error{plan.error().code == ErrorCode::kPermission
                     ? ErrorCode::kUnsupported
                     : plan.error().code,
                 plan.error().message};
  }
  return {};
}

Result<void> HoldFrequency(const SessionSettings& settings, Guardian* guardian,
                           Run* run) {
  if (!settings.conditions.frequency_khz) {
    return {};
  }
  const auto plan = PlanFor(settings);
  if (!plan) {
    return plan.error();
  }
  if (auto held = guardian->HoldFrequency(*plan); !held) {
    return held;
  }
  run->conditions.frequency_khz = plan->khz;
  const std::string has = FormatFrequency(static_cast<double>(plan->khz));
  const std::string asked =
      FormatFrequency(static_cast<double>(*settings.conditions.frequency_khz));
  if (has != asked) {
    run->warnings.push_back("the cores ran at " + has +
                            ", the nearest that they have to " + asked);
  }
  return {};
}

}  // namespace edgewise
