#include "controls/cgroup_create.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>

#include "base/text.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kPeriodUs = 100'000;
constexpr int64_t kMinQuotaUs = 1'000;  // the kernel's smallest

constexpr char kHowToGetLimits[] =
    "run edgewise as root, or under \"systemd-run --user --scope -p "
    "Delegate=yes edgewise run ...\", or leave out --cpu-quota and "
    "--memory-limit";

bool Writable(const fs::path& path) {
  return faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0;
}

bool HasWord(const std::string& text, std::string_view word) {
  const auto words = SplitFields(text);
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Whether processes that leave this v2 cgroup upwards would escape a limit.
bool HasLimits(const fs::path& folder) {
  for (const char* file :
       {"cpu.max", "memory.max", "memory.high", "memory.swap.max"}) {
    const auto text = TryReadFile(folder / file);
    if (text && !text->starts_with("max")) {
      return true;
    }
  }
  const auto cpus = TryReadFile(folder / "cpuset.cpus");
  return cpus && !Trim(*cpus).empty();
}

// The folders a v2 cgroup with the controllers `needed` may be made in, best
// first.
std::vector<fs::path> UnifiedParents(const CgroupLayout::Unified& unified,
                                     const std::vector<std::string>& needed) {
  std::vector<fs::path> rich;   // have cpu and memory
  std::vector<fs::path> plain;  // have what is needed
  for (fs::path folder = unified.own;; folder = folder.parent_path()) {
    const std::string controllers =
        TryReadFile(folder / "cgroup.subtree_control").value_or("");
    const auto has = [&controllers](const std::string& name) {
      return HasWord(controllers, name);
    };
    if (Writable(folder) && Writable(folder / "cgroup.procs") &&
        std::all_of(needed.begin(), needed.end(), has)) {
      (has("cpu") && has("memory") ? rich : plain).push_back(folder);
    }
    if (folder == unified.mount || HasLimits(folder) ||
        !folder.has_relative_path()) {
      break;
    }
  }
  rich.insert(rich.end(), plain.begin(), plain.end());
  return rich;
}

Result<void> MakeFolder(const fs::path& folder,
                        const CgroupAnnounce& announce) {
  if (auto announced = announce(folder); !announced) {
    return announced;
  }
  if (mkdir(folder.c_str(), 0755) != 0) {
    const int error = errno;
    return Error{
        ErrorCodeFromErrno(error),
        "cannot make the cgroup " + folder.string() + ": " + ErrnoText(error)};
  }
  // Below a threaded cgroup no ordinary process may be put.
  const auto type = TryReadFile(folder / "cgroup.type");
  if (type && Trim(*type) != "domain") {
    rmdir(folder.c_str());
    return Error{ErrorCode::kUnsupported, "the cgroup " + folder.string() +
                                              " would be a " +
                                              std::string(Trim(*type)) +
                                              " one, which cannot hold "
                                              "processes"};
  }
  return {};
}

Result<fs::path> MakeUnified(const CgroupLayout::Unified& unified,
                             const std::vector<std::string>& needed,
                             const std::string& name,
                             const CgroupAnnounce& announce) {
  for (const std::string& controller : needed) {
    const auto& present = unified.controllers;
    if (std::find(present.begin(), present.end(), controller) ==
        present.end()) {
      return Error{
          ErrorCode::kUnsupported,
          "this system's cgroups have no " + controller +
              " controller: enable it at boot (on a Raspberry Pi add "
              "\"cgroup_enable=memory\" to cmdline.txt for memory), or leave "
              "out the limit"};
    }
  }
  Error last{ErrorCode::kPermission,
             "no cgroup " +
                 (needed.empty()
                      ? std::string()
                      : "with the " + Join(needed, " and ") + " controller ") +
                 "may be made from " + unified.own.string() + ": " +
                 kHowToGetLimits};
  for (const fs::path& parent : UnifiedParents(unified, needed)) {
    if (auto made = MakeFolder(parent / name, announce); made) {
      return parent / name;
    } else {
      last = made.error();
    }
  }
  return last;
}

// The v1 hierarchies to be in, and the folders made there.
struct Version1 {
  const CgroupLayout& layout;
  const std::string& name;
  const CgroupAnnounce& announce;
  std::vector<fs::path> made;

  Result<fs::path> Make(const std::string& controller) {
    const fs::path folder = layout.v1.at(controller) / name;
    if (std::find(made.begin(), made.end(), folder) == made.end()) {
      if (auto result = MakeFolder(folder, announce); !result) {
        return result.error();
      }
      made.push_back(folder);
    }
    return folder;
  }
};

Error WishError(const char* flag, const Error& cause) {
  return {cause.code, std::string(flag) + " cannot be set: " + cause.message};
}

Result<int64_t> QuotaUs(double cores) {
  const double quota_us = std::round(cores * static_cast<double>(kPeriodUs));
  if (!(quota_us >= static_cast<double>(kMinQuotaUs)) || quota_us > 1e12) {
    return Error{ErrorCode::kInvalid,
                 "--cpu-quota cannot be set: the kernel wants at least 0.01 "
                 "cores"};
  }
  return static_cast<int64_t>(quota_us);
}

Result<void> SetLimits(const CgroupFolders& folders,
                       const CgroupWishes& wishes) {
  if (wishes.cpu_quota_cores) {
    const auto quota_us = QuotaUs(*wishes.cpu_quota_cores);
    if (!quota_us) {
      return quota_us.error();
    }
    const std::string quota = std::to_string(*quota_us);
    const std::string period = std::to_string(kPeriodUs);
    Result<void> set;
    if (!folders.cpu.empty()) {
      set = WriteFile(folders.cpu / "cpu.cfs_period_us", period);
      if (set) {
        set = WriteFile(folders.cpu / "cpu.cfs_quota_us", quota);
      }
    } else {
      set = WriteFile(folders.unified / "cpu.max", quota + " " + period);
    }
    if (!set) {
      return WishError("--cpu-quota", set.error());
    }
  }
  if (wishes.memory_limit_bytes) {
    const fs::path file = folders.memory.empty()
                              ? folders.unified / "memory.max"
                              : folders.memory / "memory.limit_in_bytes";
    const auto set =
        WriteFile(file, std::to_string(*wishes.memory_limit_bytes));
    if (!set) {
      return WishError("--memory-limit", set.error());
    }
  }
  return {};
}

}  // namespace

Result<CgroupFolders> CreateCgroups(const CgroupLayout& layout,
                                    const CgroupWishes& wishes,
                                    const std::string& name,
                                    const CgroupAnnounce& announce,
                                    std::vector<std::string>* refused) {
  const auto in_v1 = [&layout](const char* controller) {
    return layout.v1.contains(controller);
  };
  const bool co_mounted = in_v1("cpu") && in_v1("cpuacct") &&
                          layout.v1.at("cpu") == layout.v1.at("cpuacct");
  if (wishes.realtime && wishes.cpu_quota_cores) {
    return Error{ErrorCode::kInvalid,
                 "--cpu-quota does not govern real-time policies: leave out "
                 "one of --cpu-quota and --policy"};
  }

  std::vector<std::string> unified_needs;
  if (wishes.cpu_quota_cores && !in_v1("cpu")) {
    unified_needs.emplace_back("cpu");
  }
  if (wishes.memory_limit_bytes && !in_v1("memory")) {
    unified_needs.emplace_back("memory");
  }

  CgroupFolders folders;
  if (layout.unified) {
    auto made = MakeUnified(*layout.unified, unified_needs, name, announce);
    if (made) {
      folders.unified = *made;
    } else if (!unified_needs.empty()) {
      return made.error();
    } else {
      refused->push_back(made.error().message);
    }
  } else if (!unified_needs.empty()) {
    return Error{ErrorCode::kUnsupported,
                 "this system has no cgroup with the " +
                     Join(unified_needs, " and ") +
                     " controller: " + kHowToGetLimits};
  }

  Version1 v1{layout, name, announce, {}};
  struct Item {
    const char* controller;
    fs::path* folder;
    bool use;
    bool needed;
  };
  const bool cpu_allowed = !wishes.realtime;
  const Item items[] = {
      {"cpu", &folders.cpu,
       cpu_allowed && (wishes.cpu_quota_cores || co_mounted),
       wishes.cpu_quota_cores.has_value()},
      {"cpuacct", &folders.cpuacct, cpu_allowed || !co_mounted, false},
      {"memory", &folders.memory, true, wishes.memory_limit_bytes.has_value()},
      {"blkio", &folders.blkio, true, false}};
  for (const Item& item : items) {
    if (!item.use || !in_v1(item.controller)) {
      continue;
    }
    const auto made = v1.Make(item.controller);
    if (made) {
      *item.folder = *made;
    } else if (item.needed) {
      return Error{made.error().code,
                   made.error().message + "; " + kHowToGetLimits};
    } else {
      refused->push_back(made.error().message);
    }
  }
  if (auto set = SetLimits(folders, wishes); !set) {
    return set.error();
  }
  return folders;
}

}  // namespace edgewise
