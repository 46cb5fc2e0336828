#include "execution/task_programs.h"

#include <poll.h>

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "execution/job_starter.h"
#include "store/store.h"

namespace edgewise {
namespace {

constexpr double kSampleHz = 2;
constexpr int kPollMs = 20;
constexpr size_t kLastWords = 300;

// The last line or two of a program's output, on one line.
std::string LastWords(const std::string& output) {
  std::string text(Trim(output));
  if (text.size() > kLastWords) {
    text = "…" + text.substr(text.size() - kLastWords);
  }
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

TaskPrograms::TaskPrograms(const Plan& plan, std::vector<TaskChannel> channels,
                           std::filesystem::path home)
    : plan_(plan), channels_(std::move(channels)), home_(std::move(home)) {}

SessionSettings TaskPrograms::SettingsOf(
    const PlannedTask& task, size_t index,
    const ProgramSettings& settings) const {
  SessionSettings session;
  session.command =
      task.process_per_job ? JobStarterCommand(task) : task.command;
  session.label = task.name;
  session.group = settings.group;
  session.group_role = settings.role;
  session.experiment = settings.experiment;
  session.read_pss = false;
  session.pass_output = false;
  session.conditions.sample_hz = kSampleHz;
  session.channels[client::kReleasesVariable] =
      channels_[index].file->VariableOf(channels_[index].slot);
  if (settings.naive) {
    return session;
  }
  session.conditions.memory_limit_bytes = task.memory_bytes;
  if (task.executor == Executor::kOther) {
    session.conditions.cpu_quota_cores = task.quota_cores;
  } else {
    session.realtime_later = true;
  }
  // The kernel refuses SCHED_DEADLINE to threads that are tied to some cores.
  if (task.executor != Executor::kDeadline) {
    session.conditions.cpus = task.cores;
  }
  return session;
}

Result<void> TaskPrograms::Start(const ProgramSettings& settings) {
  for (size_t i = 0; i < plan_.tasks.size(); ++i) {
    const PlannedTask& task = plan_.tasks[i];
    ChildSessionPlan child;
    child.settings = SettingsOf(task, i, settings);
    if (const Result<void> checked = CheckSettings(child.settings); !checked) {
      return Error{checked.error().code,
                   "task " + task.name + ": " + checked.error().message};
    }
    auto session = ChildSession::Start(home_, child);
    if (!session) {
      return session.error();
    }
    sessions_.push_back(std::move(*session));
  }
  return {};
}

std::optional<size_t> TaskPrograms::Poll(int timeout_ms) {
  std::vector<pollfd> waits;
  for (const auto& session : sessions_) {
    waits.push_back({session->fd(), POLLIN, 0});
  }
  (void)::poll(waits.data(), waits.size(), timeout_ms);
  for (size_t i = 0; i < sessions_.size(); ++i) {
    if ((waits[i].revents & (POLLIN | POLLHUP)) != 0) {
      sessions_[i]->Read();
    }
  }
  // A session that tells of its Run is over a moment later.
  for (size_t i = 0; i < sessions_.size(); ++i) {
    if (sessions_[i]->over() || !sessions_[i]->run_ids().empty()) {
      return i;
    }
  }
  return std::nullopt;
}

Result<void> TaskPrograms::AwaitReady(int64_t timeout_ns,
                                      const std::function<bool()>& cancelled) {
  const int64_t give_up_ns = MonotonicNs() + timeout_ns;
  for (;;) {
    const auto over = Poll(kPollMs);
    if (cancelled()) {
      return Error{ErrorCode::kBusy, "cancelled"};
    }
    if (over) {
      Stop(0);
      return EndOf(*over);
    }
    size_t waiting = plan_.tasks.size();
    for (size_t i = plan_.tasks.size(); i-- > 0;) {
      if (channels_[i].file->ClaimedBy(channels_[i].slot) == 0) {
        waiting = i;
      }
    }
    if (waiting == plan_.tasks.size()) {
      return {};
    }
    if (MonotonicNs() > give_up_ns) {
      Stop(0);
      return Error{
          ErrorCode::kInvalid,
          "task " + plan_.tasks[waiting].name +
              " did not ask for its first job within " +
              FormatDuration(static_cast<double>(timeout_ns)) +
              ": its program must use Periodic of the in-app library, or the "
              "plan say process_per_job: true (--ready-timeout waits longer)"};
    }
  }
}

void TaskPrograms::Stop(int64_t grace_ns) {
  for (size_t i = 0; i < sessions_.size(); ++i) {
    channels_[i].file->Stop(channels_[i].slot);
  }
  const int64_t until_ns = MonotonicNs() + grace_ns;
  bool told = false;
  for (;;) {
    std::vector<pollfd> waits;
    for (const auto& session : sessions_) {
      if (!session->over()) {
        waits.push_back({session->fd(), POLLIN, 0});
      }
    }
    if (waits.empty()) {
      return;
    }
    const int64_t left_ns = until_ns - MonotonicNs();
    if (left_ns <= 0 && !told) {
      told = true;
      for (const auto& session : sessions_) {
        session->Stop();
      }
    }
    (void)::poll(waits.data(), waits.size(),
                 told ? 1000 : static_cast<int>(left_ns / kNsPerMs) + 1);
    for (const auto& session : sessions_) {
      const bool news = std::any_of(
          waits.begin(), waits.end(), [&session](const pollfd& wait) {
            return wait.fd == session->fd() && wait.revents != 0;
          });
      if (!session->over() && news) {
        session->Read();
      }
    }
  }
}

std::string TaskPrograms::RunOf(size_t task) const {
  const auto& ids = sessions_[task]->run_ids();
  return ids.empty() ? "" : ids.back();
}

std::optional<Run> TaskPrograms::StoredRun(size_t task) const {
  const std::string id = RunOf(task);
  if (id.empty()) {
    return std::nullopt;
  }
  const auto store = Store::Open(home_);
  if (!store) {
    return std::nullopt;
  }
  auto run = store->Find(id);
  return run ? std::optional(std::move(*run)) : std::nullopt;
}

std::string TaskPrograms::LastWordsOf(size_t task) const {
  const auto run = StoredRun(task);
  const std::string words = run ? LastWords(run->output_tail) : "";
  return words.empty() ? "; it wrote nothing" : "; its last words: " + words;
}

Error TaskPrograms::EndOf(size_t task) const {
  const ChildSession& session = *sessions_[task];
  const std::string name = "task " + plan_.tasks[task].name + ": ";
  const std::string id = RunOf(task);
  if (id.empty()) {
    return {session.failure_code(),
            name + (session.failure().empty() ? "its program did not start"
                                              : session.failure())};
  }
  std::string message = name +
                        "its program ended by itself, which a task "
                        "must not";
  if (const auto run = StoredRun(task)) {
    message += run->exit_code
                   ? " (exit code " + std::to_string(*run->exit_code) + ")"
               : run->signal ? " (signal " + std::to_string(*run->signal) + ")"
                             : "";
  }
  return {ErrorCode::kInvalid, message + LastWordsOf(task)};
}

}  // namespace edgewise
