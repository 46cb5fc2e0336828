// Programs of users that answer lines by lines.
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/text.h"
#include "base/unique_fd.h"
#include "base/write_all.h"
#include "tenant/service.h"
#include "tenant/started_program.h"

namespace edgewise::apps {
namespace {

constexpr size_t kMostAnswerBytes = size_t{64} << 20;

Error Failed(const std::string& what) { return {ErrorCode::kIo, what}; }

class Lines : public Service {
 public:
  Lines(std::string line, std::string name, UniqueFd to, UniqueFd from,
        ChildProgram program)
      : line_(std::move(line)),
        name_(std::move(name)),
        to_(std::move(to)),
        from_(std::move(from)),
        program_(std::make_unique<StartedProgram>(std::move(program))) {}

  Result<void> Answer(uint64_t, Checksum& checksum) override {
    if (SaysMore()) {
      return Failed("\"" + name_ +
                    "\" answers by more than one line: it must write one for "
                    "each that it reads, and nothing before the first");
    }
    if (WriteAll(to_.get(), line_ + "\n") != 0) {
      return NoAnswer();
    }
    for (size_t end; (end = buffer_.find('\n')) == std::string::npos;) {
      std::array<char, 4096> bytes;
      const ssize_t size = ::read(from_.get(), bytes.data(), bytes.size());
      if (size <= 0 && !(size < 0 && errno == EINTR)) {
        return NoAnswer();
      }
      buffer_.append(bytes.data(),
                     static_cast<size_t>(std::max<ssize_t>(size, 0)));
      if (buffer_.size() > kMostAnswerBytes) {
        return Failed("\"" + name_ + "\" answers by a line without end");
      }
    }
    const size_t end = buffer_.find('\n');
    checksum.AddBytes(buffer_.data(), end);
    buffer_.erase(0, end + 1);
    return {};
  }
  void Abandon() override { program_->Kill(); }

 private:
  // Something that nobody has asked for: from here on answers would be taken
  // for those of other requests.
  bool SaysMore() const {
    pollfd waiting{from_.get(), POLLIN, 0};
    return !buffer_.empty() ||
           (::poll(&waiting, 1, 0) > 0 && (waiting.revents & POLLIN) != 0);
  }
  Error NoAnswer() const {
    return Failed("\"" + name_ +
                  "\" ended without an answer: it must write one line for each "
                  "that it reads, and flush it");
  }

  std::string line_;
  std::string name_;
  UniqueFd to_, from_;  // closed before the program is ended
  std::string buffer_;
  std::unique_ptr<StartedProgram> program_;
};

}  // namespace

Result<std::unique_ptr<Service>> MakeLines(
    const std::vector<std::string>& command, const std::string& line) {
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  if (::pipe2(in.data(), O_CLOEXEC) != 0) {
    return Failed("no pipe to a service: " + ErrnoText());
  }
  UniqueFd its_input(in[0]);
  UniqueFd to(in[1]);
  if (::pipe2(out.data(), O_CLOEXEC) != 0) {
    return Failed("no pipe from a service: " + ErrnoText());
  }
  UniqueFd from(out[0]);
  UniqueFd its_output(out[1]);
  auto program = ChildProgram::Start(
      command, {.input = its_input.get(), .output = its_output.get()});
  if (!program) {
    return program.error();
  }
  return std::unique_ptr<Service>(
      std::make_unique<Lines>(line, command.front(), std::move(to),
                              std::move(from), std::move(*program)));
}

}  // namespace edgewise::apps
