// WaitSet: sleeps until one of a few descriptors has something, or a moment
// has come.
//
// The kernel keeps the set, so that being woken two hundred times a second
// does not cost asking every descriptor each time. Not thread-safe.
#ifndef EDGEWISE_SESSIONS_WAIT_SET_H_
#define EDGEWISE_SESSIONS_WAIT_SET_H_

#include <cstdint>

#include "base/unique_fd.h"

namespace edgewise {

class WaitSet {
 public:
  WaitSet();

  // Watches a descriptor until it is closed; `bit` is what Wait says. A
  // negative one is no descriptor.
  void Add(int fd, uint64_t bit);
  // Watches it no more.
  void Remove(int fd);
  // The bits of what is ready; 0 when the time is over.
  uint64_t Wait(int64_t timeout_ns);

  // For others to add to: epoll_event::data.u64 is the bit.
  int epoll_fd() const { return epoll_.get(); }

 private:
  UniqueFd epoll_;
  bool in_milliseconds_ = false;  // kernels before 5.11
};

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_WAIT_SET_H_
