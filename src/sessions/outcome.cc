#include "sessions/outcome.h"

#include <cerrno>
#include <csignal>

#include "base/units.h"

namespace edgewise {

int ExitCodeOf(const Run& run) {
  constexpr int kTimedOut = 124;
  constexpr int kSignalBase = 128;
  switch (run.end_reason.value_or(EndReason::kFailed)) {
    case EndReason::kDuration:
    case EndReason::kDetached:
      return 0;
    case EndReason::kTimeout:
      return kTimedOut;
    case EndReason::kExited:
    case EndReason::kSignal:
    case EndReason::kOutOfMemory:
    case EndReason::kCancelled:
    case EndReason::kFailed:
      break;
  }
  if (run.signal) {
    return kSignalBase + *run.signal;
  }
  // A cancelled Run is no success, whatever the program made of it.
  if (run.end_reason == EndReason::kCancelled && run.exit_code == 0) {
    return kSignalBase + SIGINT;
  }
  return run.exit_code.value_or(0);
}

bool WasCancelled(const Run& run) {
  // SIGINT is also how --duration and --timeout end a program.
  return run.end_reason == EndReason::kCancelled ||
         (run.end_reason == EndReason::kSignal && run.signal == SIGINT);
}

std::string FailureText(const Run& run) {
  if (run.end_reason == EndReason::kOutOfMemory) {
    return "killed by its memory limit";
  }
  if (run.end_reason == EndReason::kTimeout) {
    return "timed out";
  }
  if (run.signal) {
    return "killed by signal " + std::to_string(*run.signal);
  }
  return "exit code " + std::to_string(ExitCodeOf(run));
}

std::string ExplainLaunchFailure(const SessionSettings& settings,
                                 const GuardianEvent& event) {
  const Conditions& asked = settings.conditions;
  const std::string why = ErrnoText(event.error_number);
  const std::string remedy =
      ": run edgewise as root or with CAP_SYS_NICE, or leave the option out";
  if (event.stage == "nice" && asked.nice) {
    return "--nice " + std::to_string(*asked.nice) + " was refused (" + why +
           ")" + remedy;
  }
  if (event.stage == "policy") {
    return "--policy " + asked.policy + " was refused (" + why + ")" + remedy;
  }
  if (event.stage == "affinity") {
    return "--cpus " + FormatCpuList(asked.cpus) + " was refused (" + why +
           "): edgewise doctor shows the cores there are";
  }
  std::string message = "cannot start \"" + settings.command.front() + "\" (" +
                        event.stage + "): " + why;
  if (event.stage == "exec" && event.error_number == ENOENT) {
    message += ": check that the interpreter in its first line exists";
  }
  return message;
}

}  // namespace edgewise
