// What the kernel says about the calling process, as JSON on stdout, and ways
// to use its time: ground truth for what edgewise reports from outside.
#ifndef EDGEWISE_TESTS_INTEGRATION_PROGRAMS_OWN_ACCOUNT_H_
#define EDGEWISE_TESTS_INTEGRATION_PROGRAMS_OWN_ACCOUNT_H_

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace programs {

inline double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_usec) / 1e6;
}

inline int64_t ProcessCpuMs() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

// Uses CPU time, a part of it in the kernel, until the process has had
// `until_ms` of it.
inline void BurnUntil(int64_t until_ms) {
  volatile uint64_t sink = 0;
  while (ProcessCpuMs() < until_ms) {
    for (int i = 0; i < 200'000; ++i) {
      sink = sink + static_cast<uint64_t>(i) * 2654435761u;
    }
    for (int i = 0; i < 500; ++i) {
      (void)getppid();
    }
  }
}

// A number after `label` in /proc/self/status; -1 if it is not there.
inline int64_t StatusNumber(const std::string& label) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(label + ":", 0) == 0) {
      return std::atoll(line.c_str() + label.size() + 1);
    }
  }
  return -1;
}

}  // namespace programs

#endif  // EDGEWISE_TESTS_INTEGRATION_PROGRAMS_OWN_ACCOUNT_H_
