// One process for each message.
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/child_program.h"
#include "base/clock.h"
#include "base/unique_fd.h"
#include "mqtt/works.h"

namespace edgewise::mqtt {
namespace {

constexpr size_t kMostOutput = size_t{64} << 10;
constexpr int64_t kGraceNs = kNsPerSecond;
constexpr int64_t kLongestNs = 60 * kNsPerSecond;

struct Pipe {
  UniqueFd read;
  UniqueFd write;
};

Result<Pipe> MakePipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return Error{ErrorCodeFromErrno(errno),
                 "no pipe for the work of a message: " + ErrnoText()};
  }
  return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

// Feeds the payload and takes the output until both ends are closed.
void Converse(UniqueFd input, const UniqueFd& output, std::string_view payload,
              int64_t until_ns, std::string* text) {
  ::fcntl(input.get(), F_SETFL, O_NONBLOCK);
  while (MonotonicNs() < until_ns) {
    if (payload.empty()) {
      input.reset();
    }
    std::array<pollfd, 2> waits{{{input.valid() ? input.get() : -1, POLLOUT, 0},
                                 {output.get(), POLLIN, 0}}};
    if (::poll(waits.data(), waits.size(), 1000) < 0 && errno != EINTR) {
      return;
    }
    if (waits[0].revents != 0) {
      const ssize_t put = ::write(input.get(), payload.data(), payload.size());
      if (put > 0) {
        payload.remove_prefix(static_cast<size_t>(put));
      } else if (put < 0 && errno != EAGAIN && errno != EINTR) {
        payload = {};  // it does not want the rest
      }
    }
    if (waits[1].revents != 0) {
      std::array<char, 4096> bytes;
      const ssize_t got = ::read(output.get(), bytes.data(), bytes.size());
      if (got == 0 || (got < 0 && errno != EINTR)) {
        return;
      }
      const size_t room = kMostOutput - text->size();
      text->append(
          bytes.data(),
          std::min(room, static_cast<size_t>(std::max<ssize_t>(got, 0))));
    }
  }
}

class ProcessWork : public Work {
 public:
  explicit ProcessWork(std::vector<std::string> command)
      : command_(std::move(command)) {}

  Result<void> Begin() override { return {}; }

  Result<std::optional<WorkDone>> Do(std::string_view payload,
                                     int64_t /*received_ns*/) override {
    WorkDone done;
    done.start_ns = MonotonicNs();
    auto input = MakePipe();
    auto output = MakePipe();
    if (!input || !output) {
      return !input ? input.error() : output.error();
    }
    ChildProgram::Descriptors descriptors;
    descriptors.input = input->read.get();
    descriptors.output = output->write.get();
    auto child = ChildProgram::Start(command_, descriptors);
    if (!child) {
      return child.error();
    }
    input->read.reset();
    output->write.reset();
    Converse(std::move(input->write), output->read, payload,
             done.start_ns + kLongestNs, &done.output);
    const int status = MonotonicNs() - done.start_ns < kLongestNs
                           ? child->Wait()
                           : child->Stop(kGraceNs);
    done.end_ns = MonotonicNs();
    while (!done.output.empty() && done.output.back() == '\n') {
      done.output.pop_back();
    }
    if (status != 0) {
      return std::optional<WorkDone>();
    }
    return std::optional(std::move(done));
  }

  void End() override {}

 private:
  const std::vector<std::string> command_;
};

}  // namespace

std::unique_ptr<Work> MakeProcessWork(std::vector<std::string> command) {
  return std::make_unique<ProcessWork>(std::move(command));
}

}  // namespace edgewise::mqtt
