#include "control/make_limit_group.h"

#include <sys/stat.h>

#include <cerrno>

#include "base/text.h"

namespace edgewise::control {

Result<void> MakeLimitGroup(const LimitGroup& group,
                            const std::string& controller) {
  if (::mkdir(group.folder.c_str(), 0755) != 0 && errno != EEXIST) {
    return Error{
        ErrorCodeFromErrno(errno),
        "cannot make the cgroup " + group.folder.string() + ": " + ErrnoText()};
  }
  if (!group.v1 || controller != "cpuset") {
    return {};
  }
  // A v1 cpuset without cores and memory nodes takes no process.
  for (const char* file : {"cpuset.mems", "cpuset.cpus"}) {
    const auto above = TryReadFile(group.folder.parent_path() / file);
    if (auto set = WriteFile(group.folder / file, Trim(above.value_or("0")));
        !set) {
      return set;
    }
  }
  return {};
}

}  // namespace edgewise::control
