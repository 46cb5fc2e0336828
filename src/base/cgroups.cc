#include "base/cgroups.h"

#include "base/text.h"

namespace edgewise {
namespace {

struct Mount {
  std::string root;   // the folder of the hierarchy that is mounted
  std::string point;  // where
  bool unified = false;
  std::vector<std::string_view> controllers;  // v1 only
};

// mountinfo writes blanks, tabs, newlines and backslashes as \NNN (octal).
std::string Unescape(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto octal = [&text](size_t at) {
      return at < text.size() && text[at] >= '0' && text[at] <= '7';
    };
    if (text[i] == '\\' && octal(i + 1) && octal(i + 2) && octal(i + 3)) {
      plain +=
          static_cast<char>(((text[i + 1] - '0') << 6) |
                            ((text[i + 2] - '0') << 3) | (text[i + 3] - '0'));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

std::vector<Mount> ParseMounts(std::string_view mountinfo) {
  std::vector<Mount> mounts;
  for (const std::string_view line : Split(mountinfo, '\n')) {
    const size_t dash = line.find(" - ");
    if (dash == std::string_view::npos) {
      continue;
    }
    const auto before = SplitFields(line.substr(0, dash));
    const auto after = SplitFields(line.substr(dash + 3));
    if (before.size() < 5 || after.size() < 3 ||
        (after[0] != "cgroup" && after[0] != "cgroup2")) {
      continue;
    }
    Mount mount{
        Unescape(before[3]), Unescape(before[4]), after[0] == "cgroup2", {}};
    if (!mount.unified) {
      mount.controllers = Split(after[2], ',');
    }
    mounts.push_back(std::move(mount));
  }
  return mounts;
}

// Where a hierarchy's folder `path` is in the file system; nullopt if the
// mount does not show it.
std::optional<std::filesystem::path> Locate(const Mount& mount,
                                            std::string_view path,
                                            const std::filesystem::path& root) {
  if (path.starts_with("/..") || path.ends_with(" (deleted)")) {
    return std::nullopt;
  }
  if (mount.root != "/") {
    if (!path.starts_with(mount.root)) {
      return std::nullopt;
    }
    path.remove_prefix(mount.root.size());
    if (!path.empty() && path.front() != '/') {
      return std::nullopt;
    }
  }
  const auto relative = [](std::string_view text) {
    while (text.starts_with('/')) {
      text.remove_prefix(1);
    }
    return std::filesystem::path(text);
  };
  std::filesystem::path place = root / relative(mount.point);
  if (const auto below = relative(path); !below.empty()) {
    place /= below;
  }
  return place;
}

bool Contains(const std::vector<std::string_view>& list,
              std::string_view item) {
  for (const std::string_view entry : list) {
    if (entry == item) {
      return true;
    }
  }
  return false;
}

}  // namespace

CgroupLayout ParseCgroups(std::string_view cgroup, std::string_view mountinfo,
                          const std::filesystem::path& root) {
  CgroupLayout layout;
  const std::vector<Mount> mounts = ParseMounts(mountinfo);
  for (const std::string_view line : Split(cgroup, '\n')) {
    // "hierarchy:controllers:path"; only the path may hold colons.
    const size_t first = line.find(':');
    const size_t second =
        first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) {
      continue;
    }
    const std::string_view names = line.substr(first + 1, second - first - 1);
    const std::string_view path = line.substr(second + 1);
    if (!path.starts_with('/')) {
      continue;
    }
    const bool is_unified = line.substr(0, first) == "0" && names.empty();
    for (const Mount& mount : mounts) {
      if (mount.unified != is_unified) {
        continue;
      }
      if (is_unified) {
        const auto own = Locate(mount, path, root);
        const auto top = Locate(mount, mount.root, root);
        if (own && top && !layout.unified) {
          layout.unified = CgroupLayout::Unified{*top, *own, {}};
        }
        continue;
      }
      for (const std::string_view name : Split(names, ',')) {
        if (name.empty() || !Contains(mount.controllers, name)) {
          continue;
        }
        if (const auto own = Locate(mount, path, root)) {
          layout.v1.try_emplace(std::string(name), *own);
        }
      }
    }
  }
  return layout;
}

Result<CgroupLayout> FindCgroups(const std::filesystem::path& root,
                                 const std::string& pid) {
  const auto cgroup = ReadFile(root / "proc" / pid / "cgroup");
  if (!cgroup) {
    return cgroup.error();
  }
  const auto mountinfo = ReadFile(root / "proc" / "self" / "mountinfo");
  if (!mountinfo) {
    return mountinfo.error();
  }
  CgroupLayout layout = ParseCgroups(*cgroup, *mountinfo, root);
  if (layout.unified) {
    const std::string names =
        TryReadFile(layout.unified->mount / "cgroup.controllers").value_or("");
    for (const std::string_view name : SplitFields(names)) {
      layout.unified->controllers.emplace_back(name);
    }
  }
  return layout;
}

Result<CgroupFolders> CgroupFoldersOf(const std::string& pid,
                                      const std::filesystem::path& root) {
  const auto layout = FindCgroups(root, pid);
  if (!layout) {
    return layout.error();
  }
  CgroupFolders folders;
  if (layout->unified) {
    folders.unified = layout->unified->own;
  }
  const auto v1 = [&layout](const char* controller) {
    const auto found = layout->v1.find(controller);
    return found == layout->v1.end() ? std::filesystem::path() : found->second;
  };
  folders.cpu = v1("cpu");
  folders.cpuacct = v1("cpuacct");
  folders.memory = v1("memory");
  folders.blkio = v1("blkio");
  return folders;
}

}  // namespace edgewise
