#include "sessions/prepare_tree.h"

#include <string>
#include <utility>

#include "base/text.h"
#include "sessions/hold_frequency.h"
#include "sessions/hook.h"

namespace edgewise {
namespace {

std::vector<pid_t> ChildrenOf(pid_t parent) {
  const std::string pid = std::to_string(parent);
  const std::string text =
      TryReadFile("/proc/" + pid + "/task/" + pid + "/children").value_or("");
  std::vector<pid_t> children;
  for (const std::string_view field : SplitFields(text)) {
    if (const auto child = ParseInt(field)) {
      children.push_back(static_cast<pid_t>(*child));
    }
  }
  return children;
}

Result<CgroupFolders> MakeCgroups(const SessionSettings& settings,
                                  Guardian& guardian, Run* run) {
  const Conditions& conditions = settings.conditions;
  CgroupWishes wishes;
  wishes.cpu_quota_cores = conditions.cpu_quota_cores;
  wishes.memory_limit_bytes = conditions.memory_limit_bytes;
  wishes.realtime =
      settings.realtime_later || (!conditions.policy.empty() &&
                                  ParsePolicy(conditions.policy)->realtime());
  std::vector<std::string> refused;
  auto folders = guardian.MakeCgroups(wishes, &refused);
  if (!folders) {
    return folders;
  }
  if (folders->empty() && refused.empty()) {
    refused.emplace_back("no cgroup file system is mounted");
  }
  if (!refused.empty()) {
    run->unavailable.push_back({"cgroup", Join(refused, "; ")});
  }
  return folders;
}

}  // namespace

Result<PreparedTree> PrepareTree(const std::filesystem::path& home,
                                 const SessionSettings& settings,
                                 SignalGuard& signals, Run* run) {
  auto guardian = Guardian::Start(home, run->id);
  if (!guardian) {
    return guardian.error();
  }
  PreparedTree tree{std::move(*guardian), {}, {}};
  if (!settings.container) {  // else the engine makes them
    auto cgroups = MakeCgroups(settings, tree.guardian, run);
    if (!cgroups) {
      return cgroups.error();
    }
    tree.cgroups = std::move(*cgroups);
  }
  if (Result<void> held = HoldFrequency(settings, &tree.guardian, run); !held) {
    return held.error();
  }
  if (Result<void> prepared = RunHook(tree.guardian, signals, settings, run->id,
                                      settings.conditions.prepare, "--prepare");
      !prepared) {
    return prepared.error();
  }
  tree.left_by_prepare = ChildrenOf(tree.guardian.pid());
  return tree;
}

}  // namespace edgewise
