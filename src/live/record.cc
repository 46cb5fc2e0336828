#include "live/record.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "live/control_client.h"
#include "live/tap.h"
#include "sessions/describe_run.h"
#include "sessions/recorder.h"
#include "sessions/ring_recorder.h"
#include "sessions/signal_guard.h"

namespace edgewise::live {
namespace {

constexpr int64_t kFlushEveryNs = kNsPerSecond;

class Recording {
 public:
  Recording(const RecordSettings& settings, const SessionSettings& session,
            const ProgressListener& progress)
      : settings_(settings), session_(session), progress_(progress) {}

  Result<Run> Execute(Store& store, UniqueFd tap);

 private:
  void Collect(Recorder& recorder, TapReader& reader, RunWriter& writer,
               int tap_fd);
  // False once the agent has hung up.
  bool TakeFromTap(TapReader& reader, int tap_fd);

  const RecordSettings& settings_;
  const SessionSettings& session_;
  const ProgressListener& progress_;
  SignalGuard signals_;
  UniqueFd pidfd_;
  Run run_;
  int64_t start_ns_ = 0;
  int64_t end_ns_ = 0;
  bool agent_gone_ = false;
};

bool Recording::TakeFromTap(TapReader& reader, int tap_fd) {
  char bytes[65536];
  const ssize_t count = recv(tap_fd, bytes, sizeof(bytes), MSG_DONTWAIT);
  if (count < 0) {
    return errno == EAGAIN || errno == EINTR;
  }
  if (count == 0) {
    return false;
  }
  const Result<void> taken = reader.Take({bytes, static_cast<size_t>(count)});
  if (!taken) {
    run_.warnings.push_back(taken.error().message);
  }
  return taken.ok();
}

void Recording::Collect(Recorder& recorder, TapReader& reader,
                        RunWriter& writer, int tap_fd) {
  const auto period_ns =
      static_cast<int64_t>(1e9 / session_.conditions.sample_hz);
  int64_t next_tick_ns = start_ns_;
  int64_t next_flush_ns = start_ns_ + kFlushEveryNs;
  run_.end_reason = EndReason::kDetached;
  while (true) {
    const int64_t now_ns = MonotonicNs();
    if (now_ns >= start_ns_ + settings_.duration_ns) {
      return;
    }
    if (now_ns >= next_tick_ns) {
      recorder.Tick(now_ns);
      next_tick_ns += period_ns;
      if (progress_) {
        progress_({now_ns - start_ns_, settings_.duration_ns,
                   recorder.cpu_percent(), recorder.rss_bytes()});
      }
    }
    if (now_ns >= next_flush_ns) {
      (void)writer.Flush();
      next_flush_ns = now_ns + kFlushEveryNs;
    }
    pollfd waiting[] = {{signals_.fd(), POLLIN, 0},
                        {pidfd_.get(), POLLIN, 0},
                        {agent_gone_ ? -1 : tap_fd, POLLIN, 0}};
    const int64_t wait_ns = std::max<int64_t>(0, next_tick_ns - MonotonicNs());
    (void)::poll(waiting, 3, static_cast<int>(wait_ns / kNsPerMs) + 1);
    if (const auto signal = signals_.Next()) {
      run_.end_reason = EndReason::kCancelled;
      run_.signal = *signal;
      return;
    }
    if (!agent_gone_ && waiting[2].revents != 0 &&
        !TakeFromTap(reader, tap_fd)) {
      agent_gone_ = true;
      run_.warnings.emplace_back(
          "the agent ended meanwhile: what the app recorded after that is "
          "missing");
    }
    if (waiting[1].revents != 0) {
      run_.end_reason = EndReason::kExited;
      return;
    }
  }
}

Result<Run> Recording::Execute(Store& store, UniqueFd tap) {
  pidfd_.reset(
      static_cast<int>(::syscall(SYS_pidfd_open, session_.attach_pid, 0)));
  if (!pidfd_.valid()) {
    return Error{ErrorCodeFromErrno(errno),
                 "cannot watch process " + std::to_string(session_.attach_pid) +
                     ": " + ErrnoText()};
  }
  const int64_t cpu_before_ns = ProcessCpuNs();
  run_ = DescribeRun(session_);
  run_.kind = "live";
  run_.started_utc_ns = UtcNs();
  run_.started_monotonic_ns = start_ns_ = MonotonicNs();
  auto writer = store.Begin(run_);
  if (!writer) {
    return writer.error();
  }
  auto recorder = Recorder::Create(*writer, session_, "");
  if (!recorder) {
    return recorder.error();
  }
  RecorderTarget target;
  target.pid = session_.attach_pid;
  target.attached = true;
  target.home = store.home();
  target.run_id = run_.id;
  (*recorder)->Open(target);
  RingRecorder rings(*writer);
  rings.SetStart(start_ns_);
  RingClient client;
  client.pid = session_.attach_pid;
  client.program = settings_.app;
  TapReader reader(client, rings);
  (*recorder)->Start(start_ns_);
  Collect(**recorder, reader, *writer, tap.get());
  // What was on its way; the agent sends several times a second.
  const int64_t last_ns = MonotonicNs() + kNsPerSecond / 4;
  end_ns_ = MonotonicNs();
  while (!agent_gone_ && MonotonicNs() < last_ns) {
    pollfd waiting{tap.get(), POLLIN, 0};
    (void)::poll(&waiting, 1, 50);
    agent_gone_ = !TakeFromTap(reader, tap.get());
  }
  (*recorder)->Stop(MonotonicNs());
  run_.totals.wall_s = static_cast<double>(end_ns_ - start_ns_) / 1e9;
  (*recorder)->Fill(std::nullopt, &run_);
  ClientAccount account;
  account.pid = session_.attach_pid;
  account.name = settings_.app;
  account.records = static_cast<int64_t>(reader.events());
  run_.clients.push_back(std::move(account));
  run_.state = run_.end_reason == EndReason::kCancelled ? RunState::kInterrupted
                                                        : RunState::kDone;
  run_.profiler.cpu_s =
      static_cast<double>(ProcessCpuNs() - cpu_before_ns) / 1e9;
  if (const Result<void> finished = writer->Finish(run_); !finished) {
    return finished.error();
  }
  return run_;
}

}  // namespace

Result<Run> RecordLive(Store& store, const RecordSettings& settings,
                       const ProgressListener& progress) {
  const auto app = FindAppOfAgent(settings.control_socket, settings.app);
  if (!app) {
    return app.error();
  }
  auto tap = OpenTap(settings.control_socket, app->name + "/" + app->instance);
  if (!tap) {
    return tap.error();
  }
  SessionSettings session;
  session.attach_pid = app->pid;
  session.conditions.duration_ns = settings.duration_ns;
  session.label = settings.label.empty() ? app->name : settings.label;
  session.note = settings.note;
  return Recording(settings, session, progress).Execute(store, std::move(*tap));
}

}  // namespace edgewise::live
