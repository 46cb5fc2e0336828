#include "execution/applied_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/units.h"
#include "controls/applied_journal.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kQuotaPeriodUs = 100'000;

// The folder of the program's own cgroup with that controller: below where it
// is (v1), or beside it, because a v2 group has either processes or limits.
Result<fs::path> AppliedFolder(const CgroupLayout& layout,
                               const std::string& controller, pid_t pid) {
  const auto own = CgroupFolderOf(layout, controller);
  if (own && IsAppliedFolder(*own)) {
    return *own;
  }
  if (layout.v1.contains(controller)) {
    return *own / AppliedFolderName(pid);
  }
  if (own) {
    const fs::path parent =
        *own == layout.unified->mount ? *own : own->parent_path();
    const std::string text =
        TryReadFile(parent / "cgroup.subtree_control").value_or("");
    const auto controllers = SplitFields(text);
    if (std::ranges::count(controllers, controller) > 0) {
      return parent / AppliedFolderName(pid);
    }
  }
  return Error{ErrorCode::kUnsupported,
               "there is no cgroup with the " + controller + " controller"};
}

}  // namespace

std::optional<fs::path> CgroupFolderOf(const CgroupLayout& layout,
                                       const std::string& controller) {
  if (const auto v1 = layout.v1.find(controller); v1 != layout.v1.end()) {
    return v1->second;
  }
  return layout.unified ? std::optional(layout.unified->own) : std::nullopt;
}

Result<AppliedGroup> CpusetFor(const std::vector<int>& cores, pid_t pid) {
  const auto layout = FindCgroups("/", std::to_string(pid));
  if (!layout) {
    return layout.error();
  }
  auto folder = AppliedFolder(*layout, "cpuset", pid);
  if (!folder) {
    return folder.error();
  }
  AppliedGroup group{*folder, {}};
  if (layout->v1.contains("cpuset")) {
    // A v1 cpuset without memory nodes takes no process.
    const auto mems =
        TryReadFile(folder->parent_path() / "cpuset.mems").value_or("0");
    group.settings.emplace_back("cpuset.mems", Trim(mems));
  }
  group.settings.emplace_back("cpuset.cpus", FormatCpuList(cores));
  return group;
}

Result<AppliedGroup> QuotaFor(double quota_cores, pid_t pid) {
  const auto layout = FindCgroups("/", std::to_string(pid));
  if (!layout) {
    return layout.error();
  }
  auto folder = AppliedFolder(*layout, "cpu", pid);
  if (!folder) {
    return folder.error();
  }
  const auto quota_us = static_cast<int64_t>(
      std::ceil(quota_cores * static_cast<double>(kQuotaPeriodUs) - 1e-6));
  if (layout->v1.contains("cpu")) {
    return AppliedGroup{*folder,
                        {{"cpu.cfs_period_us", std::to_string(kQuotaPeriodUs)},
                         {"cpu.cfs_quota_us", std::to_string(quota_us)}}};
  }
  return AppliedGroup{
      *folder, {{"cpu.max", fmt::format("{} {}", quota_us, kQuotaPeriodUs)}}};
}

}  // namespace edgewise
