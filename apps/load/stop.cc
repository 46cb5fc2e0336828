#include "load/stop.h"

#include <time.h>

#include <cerrno>
#include <csignal>

#include "base/clock.h"

namespace edgewise::apps {
namespace {

volatile std::sig_atomic_t g_stop = 0;

}  // namespace

void CatchStopSignals() {
  struct sigaction action {};
  action.sa_handler = [](int) { g_stop = 1; };
  // Without SA_RESTART: a blocked call returns.
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

bool StopRequested() { return g_stop != 0; }

void SleepUntil(int64_t monotonic_ns) {
  const timespec until{static_cast<time_t>(monotonic_ns / kNsPerSecond),
                       static_cast<long>(monotonic_ns % kNsPerSecond)};
  while (!StopRequested() && ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME,
                                               &until, nullptr) == EINTR) {
  }
}

}  // namespace edgewise::apps
