// Owner: which process writes a Run, told so that its death can be noticed.
//
// A pid alone is used again; with the start time and the boot it is unique.
// A process of another pid namespace (a container) cannot be looked up: such
// an owner counts as gone once it has not been heard of for a while.
#ifndef EDGEWISE_STORE_OWNER_H_
#define EDGEWISE_STORE_OWNER_H_

#include <cstdint>
#include <filesystem>
#include <string>

namespace edgewise {

struct Owner {
  int64_t pid = 0;
  int64_t start_ticks = 0;    // field 22 of /proc/PID/stat; 0 if unreadable
  std::string boot_id;        // empty if unreadable
  std::string pid_namespace;  // "pid:[4026531836]"; empty if unreadable
};

Owner ThisProcess(const std::filesystem::path& proc_root = "/proc");

// Whether `owner`, last heard of `silent_ns` ago, still lives. `self` is this
// process. When in doubt it does.
bool IsAlive(const Owner& owner, const Owner& self, int64_t silent_ns,
             const std::filesystem::path& proc_root = "/proc");

}  // namespace edgewise

#endif  // EDGEWISE_STORE_OWNER_H_
