#include "sessions/hook.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace edgewise {
namespace {

LaunchRequest Request(const SessionSettings& settings,
                      const std::string& run_id, const std::string& command) {
  LaunchRequest request;
  request.argv = {"/bin/sh", "-c", command};
  request.env = ProgramEnvironment(settings, "", run_id);
  request.cwd = settings.conditions.cwd;
  request.in_cgroup = false;
  request.stdout_fd = STDERR_FILENO;
  return request;
}

}  // namespace

Result<void> RunHook(Guardian& guardian, SignalGuard& signals,
                     const SessionSettings& settings, const std::string& run_id,
                     const std::string& command, const char* flag) {
  if (command.empty()) {
    return {};
  }
  const auto failed = [&](const std::string& how) {
    return Error{ErrorCode::kInvalid, std::string(flag) + " \"" + command +
                                          "\" " + how +
                                          ": fix it or leave it out"};
  };
  if (const auto pid = guardian.Launch(Request(settings, run_id, command));
      !pid) {
    return pid.error();
  }
  if (Result<void> released = guardian.Release(); !released) {
    return released;
  }
  bool exited = false;
  while (true) {
    pollfd waits[2] = {{guardian.event_fd(), POLLIN, 0},
                       {signals.fd(), POLLIN, 0}};
    ::poll(waits, 2, -1);
    if (signals.Next()) {
      (void)guardian.SignalTree(SIGKILL);
      return Error{ErrorCode::kInvalid, "cancelled while " + std::string(flag) +
                                            " \"" + command + "\" ran"};
    }
    while (const auto event = guardian.Next()) {
      switch (event->kind) {
        case GuardianEvent::Kind::kExited:
          exited = true;
          if (event->status != 0) {
            return failed(WIFEXITED(event->status)
                              ? "failed with exit code " +
                                    std::to_string(WEXITSTATUS(event->status))
                              : "was killed by signal " +
                                    std::to_string(WTERMSIG(event->status)));
          }
          break;
        case GuardianEvent::Kind::kTreeEmpty:
          break;
        case GuardianEvent::Kind::kLaunchFailed:
        case GuardianEvent::Kind::kGuardianDied:
          return failed("could not be started");
      }
    }
    if (exited) {
      return {};
    }
  }
}

}  // namespace edgewise
