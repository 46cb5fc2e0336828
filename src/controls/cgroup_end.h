// Emptying and removing cgroups that edgewise made. Free of allocation (apart
// from opendir's buffer): shared by the guardian program and the library.
#ifndef EDGEWISE_CONTROLS_CGROUP_END_H_
#define EDGEWISE_CONTROLS_CGROUP_END_H_

#include <cstdint>

namespace edgewise {

// Asks the kernel to kill all processes in the cgroup and below at once. False
// where it cannot (v1, or v2 before 5.14).
bool KillCgroupAtOnce(const char* folder);

// Kills all processes in the cgroup and below, at once where the kernel can
// (cgroup.kill), else frozen (cgroup.freeze) or in passes. True when it is
// empty or absent; false if something is still in it at `deadline_ns`.
bool EmptyCgroup(const char* folder, int64_t deadline_ns);

// Removes the cgroup and those below it; waits until `deadline_ns` for the
// kernel to let go of it. Returns 0 or errno; absence is success.
int RemoveCgroup(const char* folder, int64_t deadline_ns);

}  // namespace edgewise

#endif  // EDGEWISE_CONTROLS_CGROUP_END_H_
