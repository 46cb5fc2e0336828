#include <sys/syscall.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <utility>

#include "base/text.h"
#include "sessions/gpu_tracing.h"
#include "sessions/impair_container.h"
#include "sessions/session_state.h"
#include "sessions/terminal.h"

namespace edgewise {
namespace {

// How long a started container may take to become the app.
constexpr int64_t kExecWithinNs = 10 * kNsPerSecond;
constexpr int kExecLookEveryUs = 500;
// A pid that no process has.
constexpr pid_t kNoProcess = 1 << 30;

}  // namespace

Result<void> Session::Attach() {
  pidfd_.reset(
      static_cast<int>(::syscall(SYS_pidfd_open, settings_.attach_pid, 0)));
  if (!pidfd_.valid()) {
    return Error{ErrorCodeFromErrno(errno),
                 "cannot watch process " +
                     std::to_string(settings_.attach_pid) + ": " + ErrnoText()};
  }
  auto recorder = Recorder::Create(*writer_, settings_, "");
  if (!recorder) {
    return recorder.error();
  }
  recorder_ = std::move(*recorder);
  RecorderTarget target;
  target.pid = settings_.attach_pid;
  target.attached = true;
  target.home = store_.home();
  target.run_id = run_.id;
  recorder_->Open(target);
  start_ns_ = MonotonicNs();
  return {};
}

Result<void> Session::PrepareLaunch(const std::string& socket_path) {
  auto recorder = Recorder::Create(*writer_, settings_, socket_path);
  if (!recorder) {
    return recorder.error();
  }
  recorder_ = std::move(*recorder);
  pump_ = std::make_unique<OutputPump>(
      settings_.pass_output, settings_.ready ? settings_.ready->log : "");
  if (settings_.ready) {
    readiness_.emplace(*settings_.ready, pump_->watch());
  }
  return pump_->Start();
}

void Session::OpenContainer(bool running) {
  RecorderTarget target;
  target.pid = container_->pid() > 0 ? container_->pid() : kNoProcess;
  target.container = true;
  target.running = running;
  target.cgroups = container_->Cgroups();
  target.home = store_.home();
  target.run_id = run_.id;
  program_pid_ = target.pid;
  recorder_->Open(target);
  recorder_->CountFromNow();
}

Result<void> Session::LaunchContainer() {
  const auto folder = MakeSocketFolder(guardian_->scratch());
  if (!folder) {
    return folder.error();
  }
  const std::filesystem::path socket_path = *folder / "collector.sock";
  if (Result<void> prepared = PrepareLaunch(socket_path.string()); !prepared) {
    return prepared;
  }
  auto container = MakeSessionContainer(*guardian_, settings_, socket_path,
                                        store_.home(), run_.id);
  if (!container) {
    return container.error();
  }
  container_.emplace(std::move(*container));
  const auto held = container_->Hold();
  if (!held) {
    return held.error();
  }
  if (*held) {
    OpenContainer(/*running=*/false);
    if (settings_.network.any()) {
      if (Result<void> impaired =
              ImpairContainer(program_pid_, settings_.network);
          !impaired) {
        return impaired;
      }
    }
  }
  Result<void> started =
      container_->Start(pump_->stdout_fd(), pump_->stderr_fd());
  pump_->CloseProgramEnds();
  if (!started) {
    return started;
  }
  if (!*held) {
    OpenContainer(/*running=*/true);
  }
  if (settings_.network.any() && !*held) {
    if (Result<void> impaired =
            ImpairContainer(program_pid_, settings_.network);
        !impaired) {
      return impaired;
    }
  }
  const int64_t give_up_ns = MonotonicNs() + kExecWithinNs;
  while (container_->BeforeExec() && MonotonicNs() < give_up_ns) {
    recorder_->CountFromNow();
    ::usleep(kExecLookEveryUs);
  }
  start_ns_ = MonotonicNs();
  waits_.Add(container_->pidfd(), kContainerBit);
  return {};
}

Result<void> Session::Launch() {
  if (settings_.container) {
    return LaunchContainer();
  }
  const std::string socket_path =
      (guardian_->scratch() / "collector.sock").string();
  if (Result<void> prepared = PrepareLaunch(socket_path); !prepared) {
    return prepared;
  }

  LaunchRequest request;
  request.argv = settings_.command;
  request.env = ProgramEnvironment(settings_, socket_path, run_.id);
  if (settings_.gpu_summary) {
    if (Result<void> traced =
            EnableGpuTracing(guardian_->scratch(), &request.env);
        !traced) {
      return traced;
    }
  }
  request.cwd = settings_.conditions.cwd;
  request.cpus = settings_.conditions.cpus;
  request.nice = settings_.conditions.nice;
  if (!settings_.conditions.policy.empty()) {
    request.policy = *ParsePolicy(settings_.conditions.policy);
  }
  request.stdout_fd = pump_->stdout_fd();
  request.stderr_fd = pump_->stderr_fd();
  request.terminal_fd = TerminalToHandOver();
  const auto pid = guardian_->Launch(request);
  pump_->CloseProgramEnds();
  if (!pid) {
    return pid.error();
  }
  program_pid_ = *pid;
  has_terminal_ = request.terminal_fd >= 0;
  RecorderTarget target;
  target.pid = *pid;
  target.cgroups = cgroups_;
  target.exclude = left_by_prepare_;
  target.home = store_.home();
  target.run_id = run_.id;
  recorder_->Open(target);
  start_ns_ = MonotonicNs();
  return guardian_->Release();
}

}  // namespace edgewise
