#include "history/run_identity.h"

#include <filesystem>

namespace edgewise {
namespace {

std::string DetailOf(const Run& run, const char* name) {
  const auto found = run.details.find(name);
  return found == run.details.end() ? "" : found->second;
}

}  // namespace

RunIdentity IdentityOf(const Run& run) {
  RunIdentity identity{DetailOf(run, "app"), DetailOf(run, "version"),
                       DetailOf(run, "target")};
  if (!identity.app.empty()) {
    return identity;
  }
  if (!run.label.empty()) {
    const size_t colon = run.label.rfind(':');
    const bool has_version =
        colon != std::string::npos && colon > 0 && colon + 1 < run.label.size();
    identity.app = run.label.substr(0, has_version ? colon : std::string::npos);
    if (has_version && identity.version.empty()) {
      identity.version = run.label.substr(colon + 1);
    }
    return identity;
  }
  identity.app =
      run.command.empty()
          ? run.id
          : std::filesystem::path(run.command.front()).filename().string();
  return identity;
}

bool WasVaried(const Run& run) {
  // The two sides of a comparison in turns ran as anybody would run them.
  const bool of_comparison = run.group_role == "a" || run.group_role == "b";
  return !run.experiment.empty() || (!run.group_role.empty() && !of_comparison);
}

bool WentWell(const Run& run) {
  if (run.state != RunState::kDone || !run.end_reason) {
    return false;
  }
  switch (*run.end_reason) {
    case EndReason::kExited:
      return run.exit_code.value_or(1) == 0;
    case EndReason::kDuration:
    case EndReason::kDetached:
      return true;
    default:
      return false;
  }
}

}  // namespace edgewise
