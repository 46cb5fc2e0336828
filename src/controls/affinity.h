// Which CPUs a thread may run on.
#ifndef EDGEWISE_CONTROLS_AFFINITY_H_
#define EDGEWISE_CONTROLS_AFFINITY_H_

#include <sched.h>
#include <sys/types.h>

#include <cerrno>
#include <cstddef>

namespace edgewise {

// Restricts a thread (0: the calling one) and its later children to `cpus`.
// Returns 0 or errno: EINVAL if none of them is online or allowed, or one is
// beyond what this kernel interface can name. Inline and free of allocation:
// the guardian uses it between fork and exec.
inline int SetAffinity(pid_t thread, const int* cpus, size_t count) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (size_t i = 0; i < count; ++i) {
    if (cpus[i] < 0 || cpus[i] >= CPU_SETSIZE) {
      return EINVAL;
    }
    CPU_SET(cpus[i], &set);
  }
  return sched_setaffinity(thread, sizeof(set), &set) == 0 ? 0 : errno;
}

}  // namespace edgewise

#endif  // EDGEWISE_CONTROLS_AFFINITY_H_
