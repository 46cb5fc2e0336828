// Where this process's cgroups are: v1 hierarchies, v2, or both (hybrid).
//
// Only finds and names folders; reading figures is the probes' work, creating
// and limiting that of the controls.
#ifndef EDGEWISE_BASE_CGROUPS_H_
#define EDGEWISE_BASE_CGROUPS_H_

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace edgewise {

struct CgroupLayout {
  // The v2 tree: where it is mounted, and the folder a process is in.
  struct Unified {
    std::filesystem::path mount;
    std::filesystem::path own;
    std::vector<std::string> controllers;  // of cgroup.controllers at mount
  };
  std::optional<Unified> unified;
  // v1 controller name ("cpu", "cpuacct", "memory", ...) → the folder the
  // process is in, in that controller's hierarchy. Co-mounted controllers
  // ("cpu,cpuacct") appear under each name with the same folder.
  std::map<std::string, std::filesystem::path> v1;
};

// The layout described by the texts of /proc/PID/cgroup and
// /proc/self/mountinfo. Hierarchies that are not mounted, or whose mount does
// not show the process's folder (as in some containers), are left out; lines
// that make no sense are skipped. `unified->controllers` stays empty.
CgroupLayout ParseCgroups(std::string_view cgroup, std::string_view mountinfo,
                          const std::filesystem::path& root);

// The layout as seen by process `pid` ("self" by default), from
// PROC/PID/cgroup and PROC/self/mountinfo. Roots are arguments for tests;
// mount points in mountinfo are taken below `root`.
Result<CgroupLayout> FindCgroups(const std::filesystem::path& root = "/",
                                 const std::string& pid = "self");

// The folders of one group of processes that belong together, in whichever
// hierarchies it has one. Empty paths: none there.
struct CgroupFolders {
  std::filesystem::path unified;  // v2
  std::filesystem::path cpu;      // v1
  std::filesystem::path cpuacct;  // v1
  std::filesystem::path memory;   // v1
  std::filesystem::path blkio;    // v1

  bool empty() const {
    return unified.empty() && cpu.empty() && cpuacct.empty() &&
           memory.empty() && blkio.empty();
  }
};

// The folders that a process is in, e.g. for --pid.
Result<CgroupFolders> CgroupFoldersOf(const std::string& pid,
                                      const std::filesystem::path& root = "/");

}  // namespace edgewise

#endif  // EDGEWISE_BASE_CGROUPS_H_
