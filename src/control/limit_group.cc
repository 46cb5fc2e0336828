#include "control/limit_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/units.h"
#include "controls/applied_journal.h"

namespace edgewise::control {
namespace {

namespace fs = std::filesystem;

constexpr double kUsualShares = 1024;
constexpr double kUsualWeight = 100;
// The kernel takes no quota below a millisecond.
constexpr int64_t kLeastQuotaUs = 1000;

bool IsRootGroup(const fs::path& folder) {
  return !fs::exists(folder.parent_path() / "cgroup.procs");
}

bool HasOnly(const fs::path& folder, const std::vector<pid_t>& processes) {
  const auto text = TryReadFile(folder / "cgroup.procs");
  if (!text) {
    return false;
  }
  const auto lines = SplitFields(*text);
  return !lines.empty() && std::ranges::all_of(lines, [&](auto line) {
    const auto pid = ParseInt(line);
    return pid && std::ranges::count(processes, static_cast<pid_t>(*pid)) > 0;
  });
}

bool HandsOn(const fs::path& folder, const std::string& controller) {
  const std::string text =
      TryReadFile(folder / "cgroup.subtree_control").value_or("");
  return std::ranges::count(SplitFields(text), controller) > 0;
}

}  // namespace

Result<LimitGroup> FindLimitGroup(const std::string& controller,
                                  const GroupOwner& owner,
                                  const fs::path& root) {
  const auto layout = FindCgroups(root, std::to_string(owner.pid));
  if (!layout) {
    return layout.error();
  }
  const auto v1 = layout->v1.find(controller);
  const bool is_v1 = v1 != layout->v1.end();
  if (!is_v1 && !layout->unified) {
    return Error{ErrorCode::kUnsupported,
                 "there is no cgroup with the " + controller + " controller"};
  }
  const fs::path folder = is_v1 ? v1->second : layout->unified->own;
  const bool root_group = IsRootGroup(folder);
  const bool own =
      !root_group && (owner.in_container || HasOnly(folder, owner.processes));
  const std::string name = AppliedFolderName(owner.pid, AppliedBy::kAgent);
  if (is_v1) {
    return own ? LimitGroup{folder, true, false}
               : LimitGroup{folder / name, true, true};
  }
  // A v2 group has processes or limits for those below it: one for the app is
  // made beside the group that it is in.
  const fs::path parent = root_group ? folder : folder.parent_path();
  if (!HandsOn(parent, controller)) {
    return Error{ErrorCode::kUnsupported,
                 parent.string() + " does not hand on the " + controller +
                     " controller (cgroup.subtree_control)"};
  }
  return own ? LimitGroup{folder, false, false}
             : LimitGroup{parent / name, false, true};
}

bool IsKubeletGroup(std::string_view cgroup_text) {
  return cgroup_text.find("kubepods") != std::string_view::npos;
}

GroupValues CpuValues(const AppSetting& setting, bool v1) {
  GroupValues values;
  const auto quota_us = [&] {
    return std::max(kLeastQuotaUs,
                    static_cast<int64_t>(std::llround(
                        *setting.quota_cores *
                        static_cast<double>(setting.quota_period_us))));
  };
  if (v1) {
    if (setting.shares) {
      values.emplace_back("cpu.shares", std::to_string(*setting.shares));
    }
    // The period may be changed only while no quota contradicts it.
    values.emplace_back("cpu.cfs_quota_us", "-1");
    if (setting.quota_cores) {
      values.emplace_back("cpu.cfs_period_us",
                          std::to_string(setting.quota_period_us));
      values.emplace_back("cpu.cfs_quota_us", std::to_string(quota_us()));
    }
    return values;
  }
  if (setting.shares) {
    const double weight =
        static_cast<double>(*setting.shares) * kUsualWeight / kUsualShares;
    values.emplace_back("cpu.weight", std::to_string(std::clamp<int64_t>(
                                          std::llround(weight), 1, 10000)));
  }
  values.emplace_back(
      "cpu.max", setting.quota_cores
                     ? fmt::format("{} {}", quota_us(), setting.quota_period_us)
                     : "max 100000");
  return values;
}

GroupValues CpusetValues(const std::vector<int>& cpus) {
  return {{"cpuset.cpus", FormatCpuList(cpus)}};
}

GroupValues MemoryValues(int64_t bytes, bool v1) {
  return {{v1 ? "memory.soft_limit_in_bytes" : "memory.high",
           std::to_string(bytes)}};
}

}  // namespace edgewise::control
