#include "sessions/terminal.h"

#include <unistd.h>

#include <csignal>

namespace edgewise {

int TerminalToHandOver() {
  return ::isatty(STDIN_FILENO) == 1 && ::tcgetpgrp(STDIN_FILENO) == ::getpgrp()
             ? STDIN_FILENO
             : -1;
}

void TakeTerminalBack(pid_t program) {
  if (::tcgetpgrp(STDIN_FILENO) != program) {
    return;
  }
  sigset_t block, before;
  sigemptyset(&block);
  sigaddset(&block, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &block, &before);
  ::tcsetpgrp(STDIN_FILENO, ::getpgrp());
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace edgewise
