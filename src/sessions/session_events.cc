#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <utility>

#include "base/text.h"
#include "base/units.h"
#include "sessions/outcome.h"
#include "sessions/session_state.h"

namespace edgewise {
namespace {

constexpr int64_t kFlushEveryNs = kNsPerSecond * 9 / 10;
constexpr size_t kFlushBytes = 4 << 20;
constexpr int64_t kProgressEveryNs = kNsPerSecond / 4;

}  // namespace

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

}  // namespace edgewise
