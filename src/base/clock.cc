#include "base/clock.h"

#include <ctime>

namespace edgewise {
namespace {

int64_t ReadClock(clockid_t id) {
  timespec ts{};
  clock_gettime(id, &ts);
  return ts.tv_sec * kNsPerSecond + ts.tv_nsec;
}

}  // namespace

int64_t MonotonicNs() { return ReadClock(CLOCK_MONOTONIC); }
int64_t UtcNs() { return ReadClock(CLOCK_REALTIME); }
int64_t ProcessCpuNs() { return ReadClock(CLOCK_PROCESS_CPUTIME_ID); }
int64_t ThreadCpuNs() { return ReadClock(CLOCK_THREAD_CPUTIME_ID); }

std::string FormatUtc(int64_t utc_ns) {
  const time_t seconds = static_cast<time_t>(utc_ns / kNsPerSecond);
  tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  const size_t length =
      strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return std::string(text, length);
}

}  // namespace edgewise
