#include "tenant/stop_event.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>

namespace edgewise::apps {
namespace {

int g_stop_event = -1;  // counts stop signals

}  // namespace

// Libraries start threads before main does anything, so signals cannot be
// blocked for all: a handler passes them on, whichever thread it is run by.
void CatchStopEvents() {
  g_stop_event = ::eventfd(0, EFD_CLOEXEC);
  struct sigaction action {};
  action.sa_handler = [](int) {
    const uint64_t one = 1;
    (void)!::write(g_stop_event, &one, sizeof(one));
  };
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

int StopEvent() { return g_stop_event; }

bool WaitForStop(int most_ms) {
  pollfd waiting{g_stop_event, POLLIN, 0};
  return ::poll(&waiting, 1, most_ms) > 0;
}

}  // namespace edgewise::apps
