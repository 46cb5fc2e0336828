#include "sessions/output_pump.h"

#include <fcntl.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/clock.h"

namespace edgewise {
namespace {

constexpr size_t kTailBytes = 64 * 1024;
constexpr size_t kChunkBytes = 64 * 1024;
// What a pipe that polls as writable takes without blocking.
constexpr size_t kPieceBytes = 4096;
// How long a reader of our output may stand still once the program has ended.
constexpr int kPatienceMs = 1000;

}  // namespace

void Tail::Append(const char* data, size_t size) {
  total_bytes_ += static_cast<int64_t>(size);
  if (size >= capacity_) {
    ring_.assign(data + (size - capacity_), capacity_);
    next_ = 0;
    return;
  }
  const size_t fits = std::min(size, capacity_ - ring_.size());
  ring_.append(data, fits);
  data += fits;
  size -= fits;
  while (size > 0) {
    const size_t run = std::min(size, capacity_ - next_);
    std::copy_n(data, run, ring_.begin() + static_cast<ptrdiff_t>(next_));
    next_ = (next_ + run) % capacity_;
    data += run;
    size -= run;
  }
}

std::string Tail::Text() const {
  return ring_.substr(next_) + ring_.substr(0, next_);
}

OutputPump::OutputPump(bool pass_through, std::string awaited)
    : pass_through_(pass_through),
      tail_(kTailBytes),
      watch_(std::move(awaited)) {}

OutputPump::~OutputPump() { Finish(); }

Result<void> OutputPump::Start() {
  const auto make_pipe = [](UniqueFd* read_end, UniqueFd* write_end) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
      return false;
    }
    read_end->reset(ends[0]);
    write_end->reset(ends[1]);
    return true;
  };
  if (!make_pipe(&streams_[0].source, &program_stdout_) ||
      !make_pipe(&streams_[1].source, &program_stderr_) ||
      !make_pipe(&stop_read_, &stop_write_)) {
    return Error{ErrorCode::kIo,
                 "cannot make a pipe for the program's output: " + ErrnoText()};
  }
  streams_[0].sink = STDOUT_FILENO;
  streams_[1].sink = STDERR_FILENO;
  for (Stream& stream : streams_) {
    stream.passing = pass_through_;
    ::fcntl(stream.source.get(), F_SETFL, O_NONBLOCK);
  }
  thread_ = std::thread([this] { Loop(); });
  return {};
}

void OutputPump::CloseProgramEnds() {
  program_stdout_.reset();
  program_stderr_.reset();
}

bool OutputPump::Carry(int number) {
  Stream& stream = streams_[number];
  char chunk[kChunkBytes];
  const ssize_t got = ::read(stream.source.get(), chunk, sizeof chunk);
  if (got < 0) {
    if (errno == EINTR) {
      return true;
    }
    stream.open = errno == EAGAIN;
    return false;
  }
  if (got == 0) {
    stream.open = false;
    return false;
  }
  const auto size = static_cast<size_t>(got);
  tail_.Append(chunk, size);
  watch_.Look(number, {chunk, size}, MonotonicNs());
  if (stream.passing) {
    PassOn(stream, chunk, size);
  }
  return true;
}

void OutputPump::PassOn(Stream& stream, const char* data, size_t size) {
  while (size > 0) {
    pollfd waits[2] = {{stream.sink, POLLOUT, 0},
                       {stop_read_.get(), POLLIN, 0}};
    // While the program runs, a slow reader slows it down, as without us. Once
    // it has ended nobody waits for ever.
    const int ready =
        ::poll(waits, stopping_ ? 1 : 2, stopping_ ? kPatienceMs : -1);
    if (ready == 0) {
      pass_through_error_ = "its reader stands still";
      stream.passing = false;
      return;
    }
    stopping_ = stopping_ || waits[1].revents != 0;
    if (waits[0].revents == 0) {
      continue;
    }
    const ssize_t put = ::write(stream.sink, data, std::min(size, kPieceBytes));
    if (put >= 0) {
      data += put;
      size -= static_cast<size_t>(put);
    } else if (errno == EPIPE) {
      // The reader has gone: the program must feel it, as without us.
      stream.source.reset();
      stream.open = false;
      return;
    } else if (errno != EINTR && errno != EAGAIN) {
      pass_through_error_ = ErrnoText();
      stream.passing = false;
      return;
    }
  }
}

void OutputPump::Loop() {
  while (!stopping_ && (streams_[0].open || streams_[1].open)) {
    pollfd waits[3] = {
        {streams_[0].open ? streams_[0].source.get() : -1, POLLIN, 0},
        {streams_[1].open ? streams_[1].source.get() : -1, POLLIN, 0},
        {stop_read_.get(), POLLIN, 0}};
    if (::poll(waits, 3, -1) < 0 && errno != EINTR) {
      return;
    }
    stopping_ = stopping_ || waits[2].revents != 0;
    for (int i = 0; i < 2; ++i) {
      if (waits[i].revents != 0) {
        Carry(i);
      }
    }
  }
  // At most what the pipes hold: a descendant that goes on writing must not
  // keep us here.
  constexpr int kPipeChunks = 32;
  for (int number = 0; number < 2; ++number) {
    for (int i = 0; streams_[number].open && i < kPipeChunks && Carry(number);
         ++i) {
    }
  }
}

void OutputPump::Finish() {
  CloseProgramEnds();
  if (thread_.joinable()) {
    stop_write_.reset();
    thread_.join();
  }
}

}  // namespace edgewise
