#include <sys/resource.h>

#include <csignal>

#include "base/units.h"
#include "sessions/gpu_tracing.h"
#include "sessions/hook.h"
#include "sessions/outcome.h"
#include "sessions/session_state.h"
#include "sessions/terminal.h"

namespace edgewise {
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

}  // namespace edgewise
