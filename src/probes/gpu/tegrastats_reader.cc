#include "probes/gpu/tegrastats_reader.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/clock.h"

namespace edgewise {
namespace {

// A program that dies at once is not started more often than this.
constexpr int64_t kRestartEveryNs = kNsPerSecond;
// No line is nearly as long.
constexpr size_t kMostLineBytes = 64 * 1024;

}  // namespace

TegrastatsReader::TegrastatsReader(std::string program, int interval_ms)
    : program_(std::move(program)), interval_ms_(interval_ms) {}

TegrastatsReader::~TegrastatsReader() { End(); }

void TegrastatsReader::Start(int64_t now_ns) {
  next_start_ns_ = now_ns + kRestartEveryNs;
  restarts_ += std::exchange(started_before_, true) ? 1 : 0;
  partial_.clear();
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
    return;
  }
  output_.reset(ends[0]);
  const UniqueFd write_end(ends[1]);
  const std::string interval = std::to_string(interval_ms_);
  char* const arguments[] = {program_.data(), const_cast<char*>("--interval"),
                             const_cast<char*>(interval.c_str()), nullptr};
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) {
      ::_exit(127);
    }
    // Of its own group, so that Ctrl-C on the terminal is ours alone and what
    // it starts ends with it.
    ::setpgid(0, 0);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::dup2(write_end.get(), STDOUT_FILENO);
    ::fcntl(STDOUT_FILENO, F_SETFL, 0);
    const int null = ::open("/dev/null", O_RDWR);
    ::dup2(null, STDIN_FILENO);
    ::dup2(null, STDERR_FILENO);
    ::execv(arguments[0], arguments);
    ::_exit(127);
  }
  if (pid_ > 0) {
    ::setpgid(pid_, pid_);
  } else {
    output_.reset();
  }
}

void TegrastatsReader::End() {
  output_.reset();
  if (pid_ > 0) {
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  pid_ = -1;
}

std::optional<TegraStats> TegrastatsReader::Poll(int64_t now_ns) {
  if (!output_.valid()) {
    if (now_ns >= next_start_ns_) {
      Start(now_ns);
    }
    return std::nullopt;
  }
  std::optional<TegraStats> newest;
  char buffer[4096];
  while (true) {
    const ssize_t got = ::read(output_.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0 && errno == EAGAIN) {
      break;
    }
    if (got <= 0) {
      End();  // it died; the next call starts it again when it is time
      break;
    }
    partial_.append(buffer, static_cast<size_t>(got));
    size_t line_end = partial_.find('\n');
    for (; line_end != std::string::npos; line_end = partial_.find('\n')) {
      if (auto stats =
              ParseTegrastats(std::string_view(partial_).substr(0, line_end))) {
        newest = std::move(stats);
        ++lines_;
      }
      partial_.erase(0, line_end + 1);
    }
    if (partial_.size() > kMostLineBytes) {
      partial_.clear();
    }
  }
  return newest;
}

}  // namespace edgewise
