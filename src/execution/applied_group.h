// The cgroups that a plan's limits on a running program need: where they are
// made and what is written into them. Nothing is made or written here.
#ifndef EDGEWISE_EXECUTION_APPLIED_GROUP_H_
#define EDGEWISE_EXECUTION_APPLIED_GROUP_H_

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/cgroups.h"
#include "base/result.h"

namespace edgewise {

// A cgroup called AppliedFolderName, and the values of its files, in order.
struct AppliedGroup {
  std::filesystem::path folder;
  std::vector<std::pair<std::string, std::string>> settings;
};

// Where a process is in the hierarchy of a controller; nullopt where that is
// not mounted.
std::optional<std::filesystem::path> CgroupFolderOf(
    const CgroupLayout& layout, const std::string& controller);

// For processes of the program `pid`, which keeps the group that an earlier
// apply has put it into. kUnsupported where there is no such controller.
Result<AppliedGroup> CpusetFor(const std::vector<int>& cores, pid_t pid);
Result<AppliedGroup> QuotaFor(double quota_cores, pid_t pid);

}  // namespace edgewise

#endif  // EDGEWISE_EXECUTION_APPLIED_GROUP_H_
