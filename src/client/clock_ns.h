// One reading of a POSIX clock in nanoseconds.
#ifndef EDGEWISE_CLIENT_CLOCK_NS_H_
#define EDGEWISE_CLIENT_CLOCK_NS_H_

#include <time.h>

#include <cstdint>

namespace edgewise::client {

inline constexpr uint64_t kNsPerSecond = 1'000'000'000;

inline uint64_t ClockNs(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * kNsPerSecond +
         static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace edgewise::client

#endif  // EDGEWISE_CLIENT_CLOCK_NS_H_
