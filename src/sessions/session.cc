#include "sessions/session.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "controls/guardian.h"
#include "sessions/describe_run.h"
#include "sessions/gpu_tracing.h"
#include "sessions/hook.h"
#include "sessions/impair_container.h"
#include "sessions/outcome.h"
#include "sessions/output_pump.h"
#include "sessions/prepare_tree.h"
#include "sessions/readiness_probe.h"
#include "sessions/recorder.h"
#include "sessions/session_container.h"
#include "sessions/signal_guard.h"
#include "sessions/stop_ladder.h"
#include "sessions/terminal.h"
#include "sessions/wait_set.h"

namespace edgewise {
namespace {

constexpr int64_t kFlushEveryNs = kNsPerSecond * 9 / 10;
constexpr size_t kFlushBytes = 4 << 20;
constexpr int64_t kProgressEveryNs = kNsPerSecond / 4;
// How long a started container may take to become the app.
constexpr int64_t kExecWithinNs = 10 * kNsPerSecond;
constexpr int kExecLookEveryUs = 500;
// A pid that no process has.
constexpr pid_t kNoProcess = 1 << 30;

class Session {
 public:
  Session(Store& store, const SessionSettings& settings,
          const ProgressListener& progress)
      : store_(store),
        settings_(settings),
        progress_(progress),
        ladder_(settings.grace_ns) {}

  Result<Run> Execute();
  // The system refused to execute the command itself.
  bool exec_failed() const { return exec_failed_; }

 private:
  bool attached() const { return settings_.attach_pid != 0; }

  Result<void> Attach();
  Result<void> Launch();
  Result<void> LaunchContainer();
  // Makes recorder and pump, which a launch needs first.
  Result<void> PrepareLaunch(const std::string& socket_path);
  void OpenContainer(bool running);
  // Collects until the tree is gone or the session is to end.
  void Collect();
  // Waits for the clock or an event, and takes what came in.
  void WaitForSomething(int64_t now_ns);
  int64_t NextTickNs(int64_t now_ns) const;
  int64_t NextWakeNs(int64_t now_ns) const;
  void HandleSignals(int64_t now_ns);
  void HandleGuardian(int64_t now_ns);
  void HandleContainer(int64_t now_ns);
  void HandleContainerEnd(int status, int64_t now_ns);
  void HandleClock(int64_t now_ns);
  void HandleReadiness(int64_t now_ns);
  void SignalProgram(int signal);
  void StopRecorder(int64_t now_ns);
  void BeginStop(EndReason reason, int64_t now_ns);
  // Sets the Run's end reason and state.
  void JudgeEnd();
  Result<Run> Conclude();

  // What WaitSet says is ready.
  static constexpr uint64_t kSignalBit = 1;
  static constexpr uint64_t kProgramBit = 2;
  static constexpr uint64_t kRingsBit = 4;
  static constexpr uint64_t kContainerBit = 8;

  Store& store_;
  const SessionSettings& settings_;
  const ProgressListener& progress_;
  SignalGuard signals_;
  WaitSet waits_;
  Run run_;
  std::optional<Guardian> guardian_;
  std::optional<RunWriter> writer_;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<OutputPump> pump_;
  std::optional<Container> container_;
  std::optional<ReadinessProbe> readiness_;  // until it is ready
  UniqueFd pidfd_;                           // of an attached process
  CgroupFolders cgroups_;
  std::vector<pid_t> left_by_prepare_;
  StopLadder ladder_;

  int64_t cpu_before_ns_ = 0;
  int64_t start_ns_ = 0;
  int64_t end_ns_ = 0;
  int64_t next_tick_ns_ = 0;
  int64_t next_flush_ns_ = 0;
  int64_t next_progress_ns_ = 0;
  std::optional<int64_t> linger_end_ns_;
  std::optional<EndReason> stop_reason_;
  int cancel_signal_ = 0;
  pid_t program_pid_ = 0;
  bool has_terminal_ = false;  // the program does
  bool main_exited_ = false;
  bool recorder_stopped_ = false;
  bool over_ = false;
  std::optional<Error> failure_;  // of edgewise itself
  bool launch_failed_ = false;
  bool exec_failed_ = false;
};

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

void Session::BeginStop(EndReason reason, int64_t now_ns) {
  if (!stop_reason_) {
    stop_reason_ = reason;
  }
  if (attached()) {
    over_ = true;
    return;
  }
  ladder_.Start(now_ns);
}

void Session::HandleSignals(int64_t now_ns) {
  while (const auto signal = signals_.Next()) {
    cancel_signal_ = *signal;
    BeginStop(EndReason::kCancelled, now_ns);
  }
}

void Session::HandleGuardian(int64_t now_ns) {
  while (const auto event = guardian_->Next()) {
    switch (event->kind) {
      case GuardianEvent::Kind::kExited:
        if (container_) {
          HandleContainerEnd(event->status, now_ns);
          break;
        }
        main_exited_ = true;
        end_ns_ = now_ns;
        if (WIFEXITED(event->status)) {
          run_.exit_code = WEXITSTATUS(event->status);
        } else {
          run_.signal = WTERMSIG(event->status);
        }
        // Descendants may go on; with --duration, as long as that says.
        linger_end_ns_ = settings_.conditions.duration_ns && !stop_reason_
                             ? start_ns_ + *settings_.conditions.duration_ns
                             : now_ns + settings_.linger_ns;
        break;
      case GuardianEvent::Kind::kTreeEmpty:
        if (main_exited_ && !container_) {
          end_ns_ = now_ns;
          over_ = true;
        }
        break;
      case GuardianEvent::Kind::kLaunchFailed:
        launch_failed_ = true;
        exec_failed_ = event->stage == "exec" && !container_;
        failure_ = Error{ErrorCodeFromErrno(event->error_number),
                         ExplainLaunchFailure(settings_, *event)};
        over_ = true;
        break;
      case GuardianEvent::Kind::kGuardianDied:
        failure_ = Error{ErrorCode::kIo,
                         "the guardian process was killed; the program was "
                         "ended with it"};
        over_ = true;
        break;
    }
  }
}

// The first process is gone, and with it all others; the engine follows soon.
void Session::HandleContainer(int64_t now_ns) {
  waits_.Remove(container_->pidfd());
  main_exited_ = true;
  end_ns_ = now_ns;
  // Before the engine removes its groups.
  StopRecorder(now_ns);
}

void Session::HandleContainerEnd(int status, int64_t now_ns) {
  const ContainerEnd end = container_->End(status);
  over_ = true;
  if (end_ns_ == 0) {
    end_ns_ = now_ns;
  }
  if (end.never_ran && container_->pid() > 0 && !main_exited_) {
    failure_ =
        Error{ErrorCode::kIo,
              "the engine's client ended before the container did, which "
              "was then removed: run it again"};
    return;
  }
  if (end.never_ran) {
    pump_->Finish();
    launch_failed_ = true;
    failure_ = Error{ErrorCode::kInvalid,
                     settings_.container->spec.image + " could not be started" +
                         (pump_->tail().total_bytes() > 0
                              ? ": " + std::string(Trim(pump_->tail().Text()))
                              : "")};
    return;
  }
  run_.exit_code = end.exit_code;
  run_.signal = end.signal;
}

void Session::StopRecorder(int64_t now_ns) {
  if (!recorder_stopped_) {
    recorder_stopped_ = true;
    recorder_->Stop(now_ns);
  }
}

void Session::SignalProgram(int signal) {
  if (container_) {
    container_->Signal(signal);
  } else {
    (void)guardian_->SignalTree(signal);
  }
}

void Session::HandleReadiness(int64_t now_ns) {
  if (!readiness_ || stop_reason_ || main_exited_) {
    return;
  }
  if (const auto ready_ns =
          readiness_->ReadyNs(program_pid_, start_ns_, now_ns)) {
    const int64_t after_ns = std::max<int64_t>(0, *ready_ns - start_ns_);
    run_.conditions.warmup_ns =
        std::max(run_.conditions.warmup_ns.value_or(0), after_ns);
    run_.details["ready_after"] = FormatDuration(static_cast<double>(after_ns));
    readiness_.reset();
  } else if (readiness_->TooLate(start_ns_, now_ns)) {
    run_.warnings.push_back("the program " + readiness_->TooLateText() +
                            ": look at its output, and at `ready`");
    BeginStop(EndReason::kTimeout, now_ns);
  }
}

void Session::HandleClock(int64_t now_ns) {
  const Conditions& conditions = settings_.conditions;
  if (now_ns >= next_tick_ns_) {
    if (!recorder_stopped_) {
      recorder_->Tick(now_ns);
    }
    recorder_->DrainRings();
    next_tick_ns_ = NextTickNs(now_ns);
    HandleReadiness(now_ns);
    if (settings_.check && !failure_ && !main_exited_) {
      if (auto problem = settings_.check()) {
        failure_ = std::move(*problem);
        run_.warnings.push_back(failure_->message);
        BeginStop(EndReason::kCancelled, now_ns);
      }
    }
  }
  if (now_ns >= next_flush_ns_ || writer_->BufferedBytes() > kFlushBytes) {
    next_flush_ns_ = now_ns + kFlushEveryNs;
    if (const Result<void> flushed = writer_->Flush();
        !flushed && run_.warnings.empty()) {
      run_.warnings.push_back(flushed.error().message);
    }
  }
  if (progress_ && now_ns >= next_progress_ns_) {
    next_progress_ns_ = now_ns + kProgressEveryNs;
    progress_({now_ns - start_ns_, conditions.duration_ns,
               recorder_->cpu_percent(), recorder_->rss_bytes(),
               settings_.run_number, settings_.run_count});
  }
  if (conditions.duration_ns && now_ns - start_ns_ >= *conditions.duration_ns &&
      !stop_reason_) {
    BeginStop(EndReason::kDuration, now_ns);
  }
  if (conditions.timeout_ns && now_ns - start_ns_ >= *conditions.timeout_ns &&
      !stop_reason_ && !main_exited_) {
    BeginStop(EndReason::kTimeout, now_ns);
  }
  if (linger_end_ns_ && now_ns >= *linger_end_ns_ && !over_) {
    end_ns_ = now_ns;
    over_ = true;
  }
  if (const auto signal = ladder_.Due(now_ns); signal && guardian_) {
    SignalProgram(*signal);
    // A stopped program must wake up to see it.
    SignalProgram(SIGCONT);
  }
}

int64_t Session::NextTickNs(int64_t now_ns) const {
  const auto period_ns =
      static_cast<int64_t>(1e9 / settings_.conditions.sample_hz);
  const int64_t elapsed_ns = now_ns - start_ns_;
  // Also programs that live shorter than a period are looked at.
  for (const int64_t early_ns : {20 * kNsPerMs, 50 * kNsPerMs}) {
    if (elapsed_ns < early_ns && early_ns < period_ns) {
      return start_ns_ + early_ns;
    }
  }
  // Ticks that were missed are not made up for.
  return start_ns_ + (elapsed_ns / period_ns + 1) * period_ns;
}

int64_t Session::NextWakeNs(int64_t now_ns) const {
  const Conditions& conditions = settings_.conditions;
  int64_t wake_ns = std::min(next_tick_ns_, next_flush_ns_);
  if (!stop_reason_ && conditions.duration_ns) {
    wake_ns = std::min(wake_ns, start_ns_ + *conditions.duration_ns);
  }
  if (!stop_reason_ && !main_exited_ && conditions.timeout_ns) {
    wake_ns = std::min(wake_ns, start_ns_ + *conditions.timeout_ns);
  }
  for (const auto& at : {linger_end_ns_, ladder_.next_at_ns()}) {
    if (at) {
      wake_ns = std::min(wake_ns, *at);
    }
  }
  return std::max(wake_ns, now_ns);
}

void Session::WaitForSomething(int64_t now_ns) {
  const uint64_t ready = waits_.Wait(NextWakeNs(now_ns) - now_ns);
  now_ns = MonotonicNs();
  if ((ready & kSignalBit) != 0) {
    HandleSignals(now_ns);
  }
  if ((ready & kContainerBit) != 0) {
    HandleContainer(now_ns);
  }
  if ((ready & kProgramBit) != 0) {
    if (guardian_) {
      HandleGuardian(now_ns);
    } else {
      main_exited_ = true;
      over_ = true;
    }
  }
  if ((ready & kRingsBit) != 0) {
    recorder_->DrainRings();
  }
}

void Session::Collect() {
  waits_.Add(signals_.fd(), kSignalBit);
  waits_.Add(guardian_ ? guardian_->event_fd() : pidfd_.get(), kProgramBit);
  waits_.Add(recorder_->ring_fd(), kRingsBit);
  recorder_->Start(start_ns_);
  next_tick_ns_ = start_ns_;
  next_flush_ns_ = start_ns_ + kFlushEveryNs;
  next_progress_ns_ = start_ns_ + kProgressEveryNs;
  while (!over_) {
    WaitForSomething(MonotonicNs());
    if (!over_) {
      HandleClock(MonotonicNs());
    }
  }
  if (end_ns_ == 0) {
    end_ns_ = MonotonicNs();
  }
}

void Session::JudgeEnd() {
  if (!stop_reason_ && has_terminal_ && run_.signal == SIGINT) {
    stop_reason_ = EndReason::kCancelled;  // Ctrl-C went to the program alone
  }
  if (stop_reason_) {
    run_.end_reason = *stop_reason_;
  } else if (attached()) {
    run_.end_reason = EndReason::kExited;
  } else if (recorder_->OutOfMemory() && run_.signal == SIGKILL) {
    run_.end_reason = EndReason::kOutOfMemory;
  } else {
    run_.end_reason = run_.signal ? EndReason::kSignal : EndReason::kExited;
  }
  if (recorder_->OutOfMemory() && run_.end_reason != EndReason::kOutOfMemory) {
    run_.warnings.emplace_back(
        "a descendant of the program was killed by the memory limit");
  }
  if (attached() && stop_reason_ == EndReason::kDuration) {
    run_.end_reason = EndReason::kDetached;
  }
  if (run_.end_reason == EndReason::kCancelled) {
    run_.state = RunState::kInterrupted;
    if (!run_.signal && !run_.exit_code && cancel_signal_ != 0) {
      run_.signal = cancel_signal_;
    }
  } else {
    run_.state = failure_ ? RunState::kInterrupted : RunState::kDone;
  }
}

Result<Run> Session::Conclude() {
  StopRecorder(MonotonicNs());
  std::optional<TreeUsage> usage;
  std::optional<TreeUsage> of_guardian;
  std::optional<Error> hook_failure;
  if (guardian_) {
    if (has_terminal_) {
      TakeTerminalBack(program_pid_);
    }
    if (const Result<void> cleanup =
            RunHook(*guardian_, signals_, settings_, run_.id,
                    settings_.conditions.cleanup, "--cleanup");
        !cleanup) {
      hook_failure = cleanup.error();
    }
    if (settings_.gpu_summary) {
      CollectGpuSummary(guardian_->scratch(), &run_);  // End removes traces
    }
    if (settings_.complete) {
      settings_.complete(&run_);
    }
    const auto ended = guardian_->End();
    if (ended) {
      of_guardian = *ended;
    } else {
      run_.warnings.push_back(ended.error().message);
      if (container_) {
        container_->Remove();
      }
    }
    if (!container_) {  // what a container used only its groups tell
      usage = of_guardian;
    }
  }
  // After End, so that processes alive until then are read to their end.
  recorder_->FinishRings();

  run_.totals.wall_s = static_cast<double>(end_ns_ - start_ns_) / 1e9;
  recorder_->Fill(usage, &run_);
  if (usage && usage->killed_leftovers > 0 && linger_end_ns_ &&
      end_ns_ >= *linger_end_ns_ && !stop_reason_) {
    run_.warnings.push_back(
        FormatCount(usage->killed_leftovers, "descendant") +
        " outlived the program, ended after " +
        FormatDuration(static_cast<double>(settings_.linger_ns)) +
        " (--linger)");
  }
  if (pump_) {
    pump_->Finish();
    run_.output_tail = pump_->tail().Text();
    run_.output_bytes = pump_->tail().total_bytes();
    if (!pump_->pass_through_error().empty()) {
      run_.warnings.push_back("the program's output could not be passed on: " +
                              pump_->pass_through_error());
    }
  }
  if (hook_failure) {
    run_.warnings.push_back(hook_failure->message);
  }
  JudgeEnd();
  rusage self{};
  ::getrusage(RUSAGE_SELF, &self);
  run_.profiler.cpu_s =
      static_cast<double>(ProcessCpuNs() - cpu_before_ns_) / 1e9 +
      (of_guardian ? of_guardian->guardian_cpu_s : 0);
  run_.profiler.max_rss_bytes =
      self.ru_maxrss * 1024 +
      (of_guardian ? of_guardian->guardian_max_rss_bytes : 0);
  if (progress_ && recorder_->has_stacks()) {
    SessionProgress progress;
    progress.unwinding = true;
    progress_(progress);
  }
  recorder_->FinishStacks(&run_);
  if (const Result<void> finished = writer_->Finish(run_); !finished) {
    return finished.error();
  }
  if (failure_) {
    return *failure_;
  }
  return run_;
}

Result<Run> Session::Execute() {
  cpu_before_ns_ = ProcessCpuNs();
  run_ = DescribeRun(settings_);
  if (!attached()) {
    auto tree = PrepareTree(store_.home(), settings_, signals_, &run_);
    if (!tree) {
      return tree.error();
    }
    guardian_.emplace(std::move(tree->guardian));
    cgroups_ = std::move(tree->cgroups);
    left_by_prepare_ = std::move(tree->left_by_prepare);
  }
  run_.started_utc_ns = UtcNs();
  run_.started_monotonic_ns = MonotonicNs();
  auto writer = store_.Begin(run_);
  if (!writer) {
    return writer.error();
  }
  writer_.emplace(std::move(*writer));
  const Result<void> started = attached() ? Attach() : Launch();
  if (started) {
    run_.started_monotonic_ns = start_ns_;
    Collect();
  }
  if (!started || launch_failed_) {
    // Nothing ran: there is nothing to keep.
    const Error error = started ? *failure_ : started.error();
    if (guardian_) {
      (void)RunHook(*guardian_, signals_, settings_, run_.id,
                    settings_.conditions.cleanup, "--cleanup");
    }
    recorder_.reset();
    writer_.reset();
    (void)store_.Remove(run_.id);
    return error;
  }
  return Conclude();
}

}  // namespace

Result<Run> RunSession(Store& store, const SessionSettings& settings,
                       const ProgressListener& progress) {
  if (const Result<void> checked = CheckSettings(settings); !checked) {
    return checked.error();
  }
  RecoverStacks(store);
  Session session(store, settings, progress);
  auto run = session.Execute();
  if (!run && !session.exec_failed() &&
      (run.error().code == ErrorCode::kNotFound ||
       run.error().code == ErrorCode::kPermission)) {
    return Error{ErrorCode::kIo, run.error().message};
  }
  return run;
}

}  // namespace edgewise
