// Time inside edgewise is CLOCK_MONOTONIC nanoseconds; UTC only at the edge.
#ifndef EDGEWISE_BASE_CLOCK_H_
#define EDGEWISE_BASE_CLOCK_H_

#include <cstdint>
#include <string>

namespace edgewise {

inline constexpr int64_t kNsPerSecond = 1'000'000'000;
inline constexpr int64_t kNsPerMs = 1'000'000;

int64_t MonotonicNs();
int64_t UtcNs();
// CPU time of this process (all threads).
int64_t ProcessCpuNs();
// CPU time of the calling thread.
int64_t ThreadCpuNs();
// "2026-11-15T08:29:38Z" for a UTC nanosecond count.
std::string FormatUtc(int64_t utc_ns);

}  // namespace edgewise

#endif  // EDGEWISE_BASE_CLOCK_H_
