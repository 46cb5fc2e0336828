#include "sessions/wait_set.h"

#include <sys/epoll.h>

#include <algorithm>
#include <cerrno>

#include "base/clock.h"

namespace edgewise {

WaitSet::WaitSet() : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {}

void WaitSet::Add(int fd, uint64_t bit) {
  if (fd < 0) {
    return;
  }
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = bit;
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event);
}

void WaitSet::Remove(int fd) {
  if (fd >= 0) {
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
  }
}

uint64_t WaitSet::Wait(int64_t timeout_ns) {
  constexpr int kMost = 16;
  epoll_event events[kMost];
  timeout_ns = std::max<int64_t>(timeout_ns, 0);
  int ready = -1;
  if (!in_milliseconds_) {
    const timespec timeout{timeout_ns / kNsPerSecond,
                           timeout_ns % kNsPerSecond};
    ready = ::epoll_pwait2(epoll_.get(), events, kMost, &timeout, nullptr);
    in_milliseconds_ = ready < 0 && errno == ENOSYS;
  }
  if (in_milliseconds_) {
    const int64_t ms = (timeout_ns + kNsPerMs - 1) / kNsPerMs;
    ready = ::epoll_wait(epoll_.get(), events, kMost,
                         static_cast<int>(std::min<int64_t>(ms, 60'000)));
  }
  uint64_t bits = 0;
  for (int i = 0; i < ready; ++i) {
    bits |= events[i].data.u64;
  }
  return bits;
}

}  // namespace edgewise
