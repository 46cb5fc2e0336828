#include "sessions/signal_guard.h"

#include <sys/signalfd.h>
#include <unistd.h>

namespace edgewise {

SignalGuard::SignalGuard() {
  sigset_t watched;
  sigemptyset(&watched);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    sigaddset(&watched, signal);
  }
  pthread_sigmask(SIG_BLOCK, &watched, &before_);
  fd_.reset(::signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK));
}

SignalGuard::~SignalGuard() {
  // A signal that came too late for the session goes its ordinary way, so that
  // Ctrl-C also ends what would follow.
  const std::optional<int> late = Next();
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  if (late) {
    std::raise(*late);
  }
}

std::optional<int> SignalGuard::Next() {
  signalfd_siginfo info{};
  if (::read(fd_.get(), &info, sizeof info) != sizeof info) {
    return std::nullopt;
  }
  return static_cast<int>(info.ssi_signo);
}

}  // namespace edgewise
