#include "experiments/child_session.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "base/write_all.h"
#include "sessions/outcome.h"
#include "sessions/session.h"
#include "store/store.h"

namespace edgewise {
namespace {

// What a child tells, one line each.
constexpr std::string_view kReady = "ready";
constexpr std::string_view kRun = "run ";
constexpr std::string_view kFailed = "failed ";  // code, blank, message

const std::array<int, 3> kStopSignals{SIGINT, SIGTERM, SIGHUP};

void BlockStopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : kStopSignals) {
    sigaddset(&signals, number);
  }
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

// A signal that came between two sessions.
bool StopIsPending() {
  sigset_t pending;
  sigpending(&pending);
  return std::any_of(
      kStopSignals.begin(), kStopSignals.end(),
      [&pending](int number) { return sigismember(&pending, number) == 1; });
}

// The child's life.
class Child {
 public:
  Child(int out, const ChildSessionPlan& plan) : out_(out), plan_(plan) {}

  void Live(const std::filesystem::path& home) {
    auto store = Store::Open(home);
    if (!store) {
      Fail(store.error());
      return;
    }
    first_ns_ = MonotonicNs();
    SessionSettings settings = plan_.settings;
    do {
      const auto run = RunSession(*store, settings, [this](const auto& at) {
        running_ns_ = at.elapsed_ns;
        SayWhenReady();
      });
      if (!run) {
        Fail(run.error());
        return;
      }
      Say(std::string(kRun) + run->id);
      if (WasCancelled(*run)) {
        return;
      }
      if (ExitCodeOf(*run) != 0) {
        Fail({ErrorCode::kInvalid,
              "\"" + ShellQuote(run->command) + "\" ended with code " +
                  std::to_string(ExitCodeOf(*run)) + " (edgewise show " +
                  run->id + " has its output)"});
        return;
      }
      ++settings.repeat_index;
      running_ns_ = 0;
      SayWhenReady();
    } while (plan_.keep_going && !StopIsPending());
  }

 private:
  // Programs that end early and start again have settled when they have been
  // at it for that long in all.
  void SayWhenReady() {
    if (!said_ready_ &&
        std::max(running_ns_, MonotonicNs() - first_ns_) >= plan_.settle_ns) {
      said_ready_ = true;
      Say(std::string(kReady));
    }
  }
  void Say(const std::string& line) { (void)WriteAll(out_, line + "\n"); }
  void Fail(const Error& error) {
    std::string message = error.message;
    std::replace(message.begin(), message.end(), '\n', ' ');
    Say(std::string(kFailed) + std::to_string(static_cast<int>(error.code)) +
        " " + message);
  }

  int out_;
  const ChildSessionPlan& plan_;
  int64_t first_ns_ = 0;
  int64_t running_ns_ = 0;
  bool said_ready_ = false;
};

[[noreturn]] void LiveAndExit(int out, pid_t parent,
                              const std::filesystem::path& home,
                              const ChildSessionPlan& plan) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) {
    ::_exit(1);
  }
  // Ctrl-C is for the parent, which ends us in order; the terminal's input is
  // for neither.
  ::setpgid(0, 0);
  BlockStopSignals();
  if (const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC); null >= 0) {
    ::dup2(null, STDIN_FILENO);
  }
  Child(out, plan).Live(home);
  ::_exit(0);
}

}  // namespace

Result<std::unique_ptr<ChildSession>> ChildSession::Start(
    const std::filesystem::path& home, const ChildSessionPlan& plan) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return Error{ErrorCodeFromErrno(errno),
                 "no pipe for a session beside others: " + ErrnoText()};
  }
  UniqueFd in(ends[0]);
  UniqueFd out(ends[1]);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) {
    return Error{ErrorCodeFromErrno(errno),
                 "no process for a session beside others: " + ErrnoText()};
  }
  if (child == 0) {
    in.reset();
    LiveAndExit(out.get(), parent, home, plan);
  }
  return std::unique_ptr<ChildSession>(new ChildSession(child, std::move(in)));
}

ChildSession::~ChildSession() {
  Stop();
  while (!over()) {
    Read();
  }
}

void ChildSession::Stop() {
  if (!stopped_ && !over()) {
    stopped_ = true;
    ::kill(pid_, SIGINT);
  }
}

void ChildSession::Read() {
  std::array<char, 4096> bytes;
  const ssize_t size = ::read(fd_.get(), bytes.data(), bytes.size());
  if (size < 0 && errno == EINTR) {
    return;
  }
  if (size <= 0) {
    Reap();
    return;
  }
  buffer_.append(bytes.data(), static_cast<size_t>(size));
  for (size_t end = buffer_.find('\n'); end != std::string::npos;
       end = buffer_.find('\n')) {
    Take(buffer_.substr(0, end));
    buffer_.erase(0, end + 1);
  }
}

void ChildSession::Take(const std::string& line) {
  if (line == kReady) {
    ready_ = true;
  } else if (line.starts_with(kRun)) {
    run_ids_.push_back(line.substr(kRun.size()));
  } else if (line.starts_with(kFailed)) {
    const std::string rest = line.substr(kFailed.size());
    const size_t blank = rest.find(' ');
    failure_code_ =
        static_cast<ErrorCode>(ParseInt(rest.substr(0, blank)).value_or(0));
    failure_ = rest.substr(blank + 1);
  }
}

void ChildSession::Reap() {
  fd_.reset();
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  if (failure_.empty() && (!WIFEXITED(status) || WEXITSTATUS(status) != 0)) {
    failure_ = "the process of a session beside others was killed";
  }
}

}  // namespace edgewise
