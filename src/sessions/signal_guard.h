// SignalGuard: while it lives, SIGINT, SIGTERM and SIGHUP arrive on a file
// descriptor instead of ending the process. One at a time.
#ifndef EDGEWISE_SESSIONS_SIGNAL_GUARD_H_
#define EDGEWISE_SESSIONS_SIGNAL_GUARD_H_

#include <csignal>
#include <optional>

#include "base/unique_fd.h"

namespace edgewise {

class SignalGuard {
 public:
  SignalGuard();
  ~SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

  int fd() const { return fd_.get(); }
  // The next signal that arrived, if any.
  std::optional<int> Next();

 private:
  sigset_t before_{};
  UniqueFd fd_;
};

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_SIGNAL_GUARD_H_
