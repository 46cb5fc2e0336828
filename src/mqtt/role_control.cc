#include "mqtt/role_control.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>

#include "base/clock.h"
#include "base/write_all.h"

namespace edgewise::mqtt {
namespace {

// How soon a sleep notices the stop.
constexpr int64_t kNapNs = 100 * kNsPerMs;
constexpr size_t kMostLineBytes = 4096;

}  // namespace

RoleControl::RoleControl(int report_fd) : report_fd_(report_fd) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    sigaddset(&signals, number);
  }
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signals_ = UniqueFd(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
  leaving_ = UniqueFd(::eventfd(0, EFD_CLOEXEC));
  ::prctl(PR_SET_TIMERSLACK, 1);
  thread_ = std::thread([this] { Listen(); });
}

RoleControl::~RoleControl() {
  const uint64_t one = 1;
  (void)!::write(leaving_.get(), &one, sizeof one);
  thread_.join();
}

void RoleControl::Stop() {
  stopped_ = true;
  Wake();
}

void RoleControl::Wake() {
  // So that nobody is between looking and waiting.
  { const std::lock_guard lock(mutex_); }
  changed_.notify_all();
}

void RoleControl::Say(std::string_view line) {
  if (report_fd_ >= 0) {
    (void)WriteAll(report_fd_, std::string(line) + "\n");
  }
}

std::optional<std::string> RoleControl::NextLine() {
  const std::lock_guard lock(mutex_);
  if (lines_.empty()) {
    return std::nullopt;
  }
  std::string line = std::move(lines_.front());
  lines_.pop_front();
  return line;
}

void RoleControl::SleepUntil(int64_t monotonic_ns) const {
  while (!stopped_) {
    const int64_t now_ns = MonotonicNs();
    if (now_ns >= monotonic_ns) {
      return;
    }
    const int64_t until_ns = std::min(monotonic_ns, now_ns + kNapNs);
    const timespec until{until_ns / kNsPerSecond, until_ns % kNsPerSecond};
    (void)::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
  }
}

bool RoleControl::WaitUntil(int64_t monotonic_ns,
                            const std::function<bool()>& ready) {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (ready()) {
      return true;
    }
    const int64_t left_ns = monotonic_ns - MonotonicNs();
    if (stopped_ || left_ns <= 0 || !lines_.empty()) {
      return false;
    }
    changed_.wait_for(lock,
                      std::chrono::nanoseconds(std::min(left_ns, kNapNs)));
  }
}

void RoleControl::Listen() {
  std::string buffer;
  bool open = conducted();
  for (;;) {
    std::array<pollfd, 3> waits{{{leaving_.get(), POLLIN, 0},
                                 {signals_.get(), POLLIN, 0},
                                 {open ? STDIN_FILENO : -1, POLLIN, 0}}};
    if (::poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) {
      return;
    }
    if (waits[0].revents != 0) {
      return;
    }
    if ((waits[1].revents & POLLIN) != 0) {
      signalfd_siginfo signal{};
      (void)!::read(signals_.get(), &signal, sizeof signal);
      Stop();
    }
    if (waits[2].revents == 0) {
      continue;
    }
    std::array<char, 512> bytes;
    const ssize_t got = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (got <= 0) {  // who conducts us is gone
      open = false;
      Stop();
      continue;
    }
    buffer.append(bytes.data(), static_cast<size_t>(got));
    for (size_t end = buffer.find('\n'); end != std::string::npos;
         end = buffer.find('\n')) {
      {
        const std::lock_guard lock(mutex_);
        lines_.push_back(buffer.substr(0, end));
      }
      buffer.erase(0, end + 1);
      changed_.notify_all();
    }
    if (buffer.size() > kMostLineBytes) {
      buffer.clear();
    }
  }
}

}  // namespace edgewise::mqtt
