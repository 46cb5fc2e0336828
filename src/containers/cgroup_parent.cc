#include "containers/cgroup_parent.h"

#include "base/text.h"
#include "controls/journal.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

// The longest path that both begin with.
fs::path CommonPath(const fs::path& a, const fs::path& b) {
  fs::path common;
  auto in_b = b.begin();
  for (const fs::path& part : a) {
    if (in_b == b.end() || part != *in_b) {
      break;
    }
    common /= part;
    ++in_b;
  }
  return common;
}

// Of "2:cpu,cpuacct:/user.slice" the path.
std::optional<fs::path> OwnCommonPath(std::string_view cgroup) {
  std::optional<fs::path> common;
  for (const std::string_view line : Split(cgroup, '\n')) {
    const size_t colon = line.find(':', line.find(':') + 1);
    if (colon == std::string_view::npos || colon + 1 >= line.size()) {
      continue;
    }
    const fs::path own = line.substr(colon + 1);
    common = common ? CommonPath(*common, own) : own;
  }
  return common;
}

struct Mount {
  fs::path point;
  bool v2 = false;
};

// nullopt if one of them does not show its hierarchy's root.
std::optional<std::vector<Mount>> CgroupMounts(std::string_view mountinfo) {
  std::vector<Mount> mounts;
  for (const std::string_view line : Split(mountinfo, '\n')) {
    const size_t dash = line.find(" - ");
    if (dash == std::string_view::npos) {
      continue;
    }
    const auto before = SplitFields(line.substr(0, dash));
    const auto after = SplitFields(line.substr(dash + 3));
    if (before.size() < 5 || after.empty() ||
        (after[0] != "cgroup" && after[0] != "cgroup2")) {
      continue;
    }
    if (before[3] != "/") {
      return std::nullopt;
    }
    mounts.push_back({fs::path(before[4]), after[0] == "cgroup2"});
  }
  return mounts;
}

}  // namespace

std::optional<CgroupParent> CgroupParentFrom(std::string_view cgroup,
                                             std::string_view mountinfo,
                                             const std::string& id) {
  const auto own = OwnCommonPath(cgroup);
  const auto mounts = CgroupMounts(mountinfo);
  if (!own || !own->is_absolute() || !mounts) {
    return std::nullopt;
  }
  CgroupParent parent;
  const fs::path path = *own / SessionFolderName(id);
  parent.path = path.string();
  bool v1 = false;
  for (const Mount& mount : *mounts) {
    v1 = v1 || !mount.v2;
    parent.folders.push_back(mount.point / path.relative_path());
  }
  if (!v1) {
    return std::nullopt;
  }
  return parent;
}

std::optional<CgroupParent> FindCgroupParent(const std::string& id) {
  const auto cgroup = TryReadFile("/proc/self/cgroup");
  const auto mountinfo = TryReadFile("/proc/self/mountinfo");
  if (!cgroup || !mountinfo) {
    return std::nullopt;
  }
  return CgroupParentFrom(*cgroup, *mountinfo, id);
}

}  // namespace edgewise
