#include "store/run_names.h"

#include <array>
#include <utility>

namespace edgewise {
namespace {

constexpr std::array<std::pair<RunState, std::string_view>, 3> kStates{{
    {RunState::kRunning, "running"},
    {RunState::kDone, "done"},
    {RunState::kInterrupted, "interrupted"},
}};

constexpr std::array<std::pair<EndReason, std::string_view>, 8> kReasons{{
    {EndReason::kExited, "exited"},
    {EndReason::kSignal, "signal"},
    {EndReason::kDuration, "duration"},
    {EndReason::kTimeout, "timeout"},
    {EndReason::kCancelled, "cancelled"},
    {EndReason::kOutOfMemory, "out_of_memory"},
    {EndReason::kDetached, "detached"},
    {EndReason::kFailed, "failed"},
}};

}  // namespace

std::string_view RunStateName(RunState state) {
  for (const auto& [known, name] : kStates) {
    if (known == state) {
      return name;
    }
  }
  return "interrupted";
}

RunState RunStateFromName(std::string_view name) {
  for (const auto& [state, known] : kStates) {
    if (known == name) {
      return state;
    }
  }
  return RunState::kInterrupted;
}

std::string_view EndReasonName(EndReason reason) {
  for (const auto& [known, name] : kReasons) {
    if (known == reason) {
      return name;
    }
  }
  return "failed";
}

std::optional<EndReason> EndReasonFromName(std::string_view name) {
  for (const auto& [reason, known] : kReasons) {
    if (known == name) {
      return reason;
    }
  }
  return std::nullopt;
}

}  // namespace edgewise
