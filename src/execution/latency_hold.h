// LatencyHold: while it lives, idle cores stay awake enough to answer at once
// (/dev/cpu_dma_latency), as cyclictest does.
#ifndef EDGEWISE_EXECUTION_LATENCY_HOLD_H_
#define EDGEWISE_EXECUTION_LATENCY_HOLD_H_

#include <fcntl.h>
#include <unistd.h>

#include <cstdint>

#include "base/result.h"
#include "base/unique_fd.h"

namespace edgewise {

class LatencyHold {
 public:
  // Fails where it may not be opened.
  static Result<LatencyHold> Take() {
    LatencyHold hold;
    hold.fd_.reset(::open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC));
    const int32_t latency_us = 0;
    if (!hold.fd_.valid() ||
        ::write(hold.fd_.get(), &latency_us, sizeof(latency_us)) < 0) {
      return Error{ErrorCodeFromErrno(errno),
                   "--hold-latency: cannot hold /dev/cpu_dma_latency: " +
                       ErrnoText() + "; run as root, or leave it out"};
    }
    return hold;
  }

 private:
  LatencyHold() = default;
  UniqueFd fd_;
};

}  // namespace edgewise

#endif  // EDGEWISE_EXECUTION_LATENCY_HOLD_H_
