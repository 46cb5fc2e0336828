// Making the cgroups of one run, in whichever hierarchies this machine has.
#ifndef EDGEWISE_CONTROLS_CGROUP_CREATE_H_
#define EDGEWISE_CONTROLS_CGROUP_CREATE_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/cgroups.h"
#include "base/result.h"

namespace edgewise {

// What to create for a run, and what it is for.
struct CgroupWishes {
  std::optional<double> cpu_quota_cores = std::nullopt;
  std::optional<int64_t> memory_limit_bytes = std::nullopt;
  // A real-time policy will be used: stay out of v1 cpu cgroups, which have no
  // real-time budget.
  bool realtime = false;
};

// Called with each folder before it is made, so that it can be removed
// whatever happens next.
using CgroupAnnounce =
    std::function<Result<void>(const std::filesystem::path& folder)>;

// Makes cgroups called `name` and sets the limits.
//
// v1: under the process's own folder in cpuacct, memory and blkio; in cpu only
// for a quota, or where it is mounted together with cpuacct. v2: under the
// nearest folder, from the process's own upwards, whose children have the
// controllers that are needed and preferably both cpu and memory. It never
// goes above a folder with limits, which the program would escape, and never
// changes a folder that it did not make.
//
// Hierarchies that refuse are left out, with a sentence in `refused`; a wish
// that cannot be fulfilled is an error that says what to do. What was made
// before an error stays for the announced clean-up.
Result<CgroupFolders> CreateCgroups(const CgroupLayout& layout,
                                    const CgroupWishes& wishes,
                                    const std::string& name,
                                    const CgroupAnnounce& announce,
                                    std::vector<std::string>* refused);

}  // namespace edgewise

#endif  // EDGEWISE_CONTROLS_CGROUP_CREATE_H_
