// Where the limits of a running app are set, and as what: the cgroup that is
// its own, or one that has to be made for it. Nothing is written here.
#ifndef EDGEWISE_CONTROL_LIMIT_GROUP_H_
#define EDGEWISE_CONTROL_LIMIT_GROUP_H_

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/cgroups.h"
#include "base/result.h"
#include "control/observation.h"

namespace edgewise::control {

struct LimitGroup {
  std::filesystem::path folder;
  bool v1 = false;
  // It is to be made, and the app's processes to be moved into it.
  bool to_make = false;
};

// Whose cgroup it is.
struct GroupOwner {
  pid_t pid = 0;
  bool in_container = false;     // its cgroup is its own, whoever is in it
  std::vector<pid_t> processes;  // of the app
};

// Of the controller "cpu", "cpuset" or "memory". kUnsupported, with what is
// missing, where there is none; `root` is for tests.
Result<LimitGroup> FindLimitGroup(const std::string& controller,
                                  const GroupOwner& owner,
                                  const std::filesystem::path& root = "/");

// Whether a kubelet made the cgroup: what it sets is its own business.
bool IsKubeletGroup(std::string_view cgroup_text);

// Files and what to write into them, in order; the last word of a file counts.
using GroupValues = std::vector<std::pair<std::string, std::string>>;
GroupValues CpuValues(const AppSetting& setting, bool v1);
GroupValues CpusetValues(const std::vector<int>& cpus);
GroupValues MemoryValues(int64_t bytes, bool v1);

}  // namespace edgewise::control

#endif  // EDGEWISE_CONTROL_LIMIT_GROUP_H_
