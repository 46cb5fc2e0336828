// Running commands of an engine: see engine.h.
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <optional>

#include "base/child_program.h"
#include "base/text.h"
#include "base/unique_fd.h"
#include "containers/engine.h"
#include "controls/journal.h"
#include "controls/remains.h"

namespace edgewise {
namespace {

constexpr off_t kMostAnswerBytes = 4 << 20;

// What a command writes; never blocks it.
struct Outputs {
  UniqueFd output{::memfd_create("engine-output", MFD_CLOEXEC)};
  UniqueFd errors{::memfd_create("engine-errors", MFD_CLOEXEC)};

  bool valid() const { return output.valid() && errors.valid(); }
};

std::string ContentOf(const UniqueFd& file) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) {
    return {};
  }
  std::string text(
      static_cast<size_t>(std::min(status.st_size, kMostAnswerBytes)), '\0');
  const ssize_t got = ::pread(file.get(), text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return text;
}

EngineAnswer AnswerFrom(int wait_status, const Outputs& outputs) {
  constexpr int kSignalBase = 128;
  EngineAnswer answer;
  answer.exit_code = WIFEXITED(wait_status)
                         ? WEXITSTATUS(wait_status)
                         : kSignalBase + WTERMSIG(wait_status);
  answer.output = ContentOf(outputs.output);
  answer.errors = ContentOf(outputs.errors);
  return answer;
}

// By this a sweep knows an engine's command whose session is gone.
std::string RunIdEntry(const Guardian& guardian) {
  const std::string folder = guardian.scratch().filename().string();
  return std::string(kRunIdVariable) + "=" +
         folder.substr(SessionFolderName("").size());
}

Error Unmade() {
  return {ErrorCode::kIo, "no file for an answer can be made: " + ErrnoText()};
}

Error TooSlow(const Engine& engine, const std::vector<std::string>& command) {
  return {ErrorCode::kIo, std::string(engine.name()) + " " + command.front() +
                              " does not end: look whether " + engine.name() +
                              " hangs"};
}

}  // namespace

std::string EngineAnswer::Complaint() const {
  constexpr std::string_view kPrefix = "Error: ";
  std::string_view last;
  for (const std::string_view line : Split(errors, '\n')) {
    if (line.starts_with(kPrefix)) {
      return std::string(Trim(line.substr(kPrefix.size())));
    }
    last = Trim(line).empty() ? last : Trim(line);
  }
  return last.empty() ? "exit code " + std::to_string(exit_code)
                      : std::string(last);
}

Result<EngineAnswer> AskEngine(const Engine& engine,
                               const std::vector<std::string>& command,
                               int64_t timeout_ns) {
  constexpr int kLookEveryUs = 2000;
  const Outputs outputs;
  if (!outputs.valid()) {
    return Unmade();
  }
  ChildProgram::Descriptors descriptors;
  descriptors.output = outputs.output.get();
  descriptors.errors = outputs.errors.get();
  auto child = ChildProgram::Start(engine.Words(command), descriptors);
  if (!child) {
    return child.error();
  }
  const int64_t deadline_ns = MonotonicNs() + timeout_ns;
  while (!child->Ended()) {
    if (MonotonicNs() >= deadline_ns) {
      child->Stop(kNsPerSecond);
      return TooSlow(engine, command);
    }
    ::usleep(kLookEveryUs);
  }
  return AnswerFrom(child->Wait(), outputs);
}

LaunchRequest EngineRequest(const Engine& engine,
                            const std::vector<std::string>& command,
                            const std::string& cwd) {
  LaunchRequest request;
  request.argv = engine.Words(command);
  for (char** entry = environ; *entry != nullptr; ++entry) {
    request.env.emplace_back(*entry);
  }
  request.cwd = cwd;
  request.in_cgroup = false;
  return request;
}

Result<EngineAnswer> AskEngine(Guardian& guardian, const Engine& engine,
                               const std::vector<std::string>& command,
                               const std::string& cwd) {
  const Outputs outputs;
  if (!outputs.valid()) {
    return Unmade();
  }
  const UniqueFd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  LaunchRequest request = EngineRequest(engine, command, cwd);
  request.env.push_back(RunIdEntry(guardian));
  request.stdin_fd = nothing.get();
  request.stdout_fd = outputs.output.get();
  request.stderr_fd = outputs.errors.get();
  if (const auto pid = guardian.Launch(request); !pid) {
    return pid.error();
  }
  if (Result<void> released = guardian.Release(); !released) {
    return released.error();
  }
  const int64_t deadline_ns = MonotonicNs() + kEngineAnswersNs;
  while (MonotonicNs() < deadline_ns) {
    pollfd wait = {guardian.event_fd(), POLLIN, 0};
    ::poll(&wait, 1, 1000);
    while (const auto event = guardian.Next()) {
      switch (event->kind) {
        case GuardianEvent::Kind::kExited:
          return AnswerFrom(event->status, outputs);
        case GuardianEvent::Kind::kTreeEmpty:
          break;  // of an earlier command
        case GuardianEvent::Kind::kLaunchFailed:
          return Error{ErrorCodeFromErrno(event->error_number),
                       engine.program + " cannot be started: " +
                           ErrnoText(event->error_number)};
        case GuardianEvent::Kind::kGuardianDied:
          return Error{ErrorCode::kIo,
                       "the guardian process was killed, so the run cannot go "
                       "on: start it again"};
      }
    }
  }
  (void)guardian.SignalTree(SIGTERM);
  return TooSlow(engine, command);
}

}  // namespace edgewise
