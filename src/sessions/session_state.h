// Session: what a session keeps while it runs; shared by the sources of
// session.h, by what they are about: session_launch.cc, session_events.cc,
// session_end.cc.
#ifndef EDGEWISE_SESSIONS_SESSION_STATE_H_
#define EDGEWISE_SESSIONS_SESSION_STATE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "controls/guardian.h"
#include "sessions/output_pump.h"
#include "sessions/readiness_probe.h"
#include "sessions/recorder.h"
#include "sessions/session.h"
#include "sessions/session_container.h"
#include "sessions/signal_guard.h"
#include "sessions/stop_ladder.h"
#include "sessions/wait_set.h"

namespace edgewise {

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

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_SESSION_STATE_H_
