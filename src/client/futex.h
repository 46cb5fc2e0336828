// Futexes in memory that processes share.
#ifndef EDGEWISE_CLIENT_FUTEX_H_
#define EDGEWISE_CLIENT_FUTEX_H_

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>

namespace edgewise::client {

// Sleeps while the word is `value`, until a CLOCK_MONOTONIC time at most.
// Returns 0 or errno: EAGAIN (another value), ETIMEDOUT, EINTR.
inline int FutexWaitUntil(std::atomic<uint32_t>& word, uint32_t value,
                          const timespec& until) {
  const long waited = syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, value,
                              &until, nullptr, FUTEX_BITSET_MATCH_ANY);
  return waited == 0 ? 0 : errno;
}

inline void FutexWake(std::atomic<uint32_t>& word) {
  (void)syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace edgewise::client

#endif  // EDGEWISE_CLIENT_FUTEX_H_
