// A cgroup below which an engine may put the containers of one session.
#ifndef EDGEWISE_CONTAINERS_CGROUP_PARENT_H_
#define EDGEWISE_CONTAINERS_CGROUP_PARENT_H_

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace edgewise {

struct CgroupParent {
  std::string path;  // for the engine: "/edgewise-ID"
  // Where that is in each hierarchy; the engine makes them, and leaves them
  // behind.
  std::vector<std::filesystem::path> folders;
};

// From the texts of /proc/self/cgroup and /proc/self/mountinfo; the deepest
// group that this process is in, in all hierarchies, has it as a child. nullopt
// where there is v2 alone (there a group with processes cannot have controlled
// children, and engines clean up after themselves) or where the hierarchies are
// not wholly visible.
std::optional<CgroupParent> CgroupParentFrom(std::string_view cgroup,
                                             std::string_view mountinfo,
                                             const std::string& id);
// The same for this process.
std::optional<CgroupParent> FindCgroupParent(const std::string& id);

}  // namespace edgewise

#endif  // EDGEWISE_CONTAINERS_CGROUP_PARENT_H_
