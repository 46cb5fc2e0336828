// Services that are programs of users: asked by lines, or over HTTP.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <optional>
#include <thread>
#include <utility>

#include "base/child_program.h"
#include "base/clock.h"
#include "base/host_port.h"
#include "base/tcp.h"
#include "base/text.h"
#include "base/unique_fd.h"
#include "base/write_all.h"
#include "tenant/service.h"

namespace edgewise::apps {
namespace {

constexpr int64_t kGraceNs = kNsPerSecond / 2;
constexpr int64_t kReadyWithinNs = 60 * kNsPerSecond;
constexpr size_t kMostAnswerBytes = size_t{64} << 20;

Error Failed(const std::string& what) { return {ErrorCode::kIo, what}; }

// Ends with its owner.
class Started {
 public:
  explicit Started(ChildProgram program) : program_(std::move(program)) {}
  ~Started() { program_.Stop(kGraceNs); }
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;

  bool over() { return program_.Ended().has_value(); }
  void Kill() const { program_.Signal(SIGKILL); }

 private:
  ChildProgram program_;
};

class Lines : public Service {
 public:
  Lines(std::string line, std::string name, UniqueFd to, UniqueFd from,
        ChildProgram program)
      : line_(std::move(line)),
        name_(std::move(name)),
        to_(std::move(to)),
        from_(std::move(from)),
        program_(std::make_unique<Started>(std::move(program))) {}

  Result<void> Answer(uint64_t, Checksum& checksum) override {
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
  Error NoAnswer() const {
    return Failed("\"" + name_ +
                  "\" ended without an answer: it must write one line for each "
                  "that it reads, and flush it");
  }

  std::string line_;
  std::string name_;
  UniqueFd to_, from_;  // closed before the program is ended
  std::string buffer_;
  std::unique_ptr<Started> program_;
};

struct Address {
  std::string authority;  // "localhost:8080"
  HostPort at;
  std::string path;
};

Result<Address> ParseUrl(const std::string& url) {
  constexpr std::string_view kScheme = "http://";
  const auto invalid = [&url] {
    return Error{ErrorCode::kInvalid,
                 "--http: \"" + url +
                     "\" is no address such as http://127.0.0.1:8080/answer"};
  };
  if (!url.starts_with(kScheme)) {
    return invalid();
  }
  const std::string rest = url.substr(kScheme.size());
  const size_t slash = std::min(rest.find('/'), rest.size());
  Address address;
  address.authority = rest.substr(0, slash);
  address.path = slash == rest.size() ? "/" : rest.substr(slash);
  if (address.path.find_first_of(" \r\n") != std::string::npos) {
    return invalid();
  }
  const auto at = ParseHostPort(address.authority);
  if (!at) {
    return invalid();
  }
  address.at = *at;
  return address;
}

int FreePort() {
  const auto addresses = FindAddresses("127.0.0.1", 0, true);
  const UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  return addresses && socket.valid() &&
                 ListenOn(socket.get(), addresses->front(), 1, "a free port")
             ? BoundPort(socket.get())
             : 0;
}

std::string WithPort(std::string text, int port) {
  constexpr std::string_view kMark = "{port}";
  for (size_t at; (at = text.find(kMark)) != std::string::npos;) {
    text.replace(at, kMark.size(), std::to_string(port));
  }
  return text;
}

class Http : public Service {
 public:
  Http(Address address, std::vector<SocketAddress> found,
       std::unique_ptr<Started> program)
      : address_(std::move(address)),
        found_(std::move(found)),
        program_(std::move(program)) {}

  // A service that is being started refuses connections for a while.
  Result<void> WaitUntilThere() {
    const int64_t until_ns = MonotonicNs() + kReadyWithinNs;
    while (MonotonicNs() < until_ns) {
      if (Connect().valid()) {
        return {};
      }
      if (program_ && program_->over()) {
        return Failed("the service ended before it could be asked at " +
                      address_.authority + ": try its command by itself");
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return Failed("nothing answers at " + address_.authority +
                  " within a minute: is the address right?");
  }

  Result<void> Answer(uint64_t, Checksum& checksum) override {
    const UniqueFd socket = Connect();
    if (!socket.valid()) {
      return Failed("nothing listens at " + address_.authority + " any more");
    }
    const std::string request = "GET " + address_.path +
                                " HTTP/1.0\r\nHost: " + address_.authority +
                                "\r\nConnection: close\r\n\r\n";
    if (WriteAll(socket.get(), request) != 0) {
      return Failed(address_.authority + " does not take requests");
    }
    std::string answer;
    std::array<char, 16384> bytes;
    for (;;) {
      const ssize_t size = ::read(socket.get(), bytes.data(), bytes.size());
      if (size < 0 && errno == EINTR) {
        continue;
      }
      if (size <= 0 || answer.size() > kMostAnswerBytes) {
        break;
      }
      answer.append(bytes.data(), static_cast<size_t>(size));
    }
    // "HTTP/1.1 200 OK"
    if (answer.size() < 12 || answer.compare(0, 5, "HTTP/") != 0 ||
        answer[9] != '2') {
      return Failed(address_.authority + " answered by \"" +
                    answer.substr(0, answer.find('\r')) +
                    "\" instead of 200: is the path right?");
    }
    const size_t body = answer.find("\r\n\r\n");
    if (body != std::string::npos) {
      checksum.AddBytes(answer.data() + body, answer.size() - body);
    }
    return {};
  }
  void Abandon() override {
    if (program_) {
      program_->Kill();
    }
  }

 private:
  UniqueFd Connect() const {
    for (const SocketAddress& address : found_) {
      UniqueFd socket(
          ::socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
      if (socket.valid() &&
          ::connect(socket.get(), address.get(), address.size) == 0) {
        return socket;
      }
    }
    return {};
  }

  Address address_;
  std::vector<SocketAddress> found_;
  std::unique_ptr<Started> program_;
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

Result<std::unique_ptr<Service>> MakeHttp(
    const std::string& url, const std::vector<std::string>& command) {
  const int port = command.empty() ? 0 : FreePort();
  const auto address = ParseUrl(command.empty() ? url : WithPort(url, port));
  if (!address) {
    return address.error();
  }
  auto found = FindAddresses(address->at.host, address->at.port, false);
  if (!found) {
    return found.error();
  }
  std::unique_ptr<Started> program;
  if (!command.empty()) {
    std::vector<std::string> words;
    for (const std::string& word : command) {
      words.push_back(WithPort(word, port));
    }
    auto started = ChildProgram::Start(words, {.output = STDERR_FILENO});
    if (!started) {
      return started.error();
    }
    program = std::make_unique<Started>(std::move(*started));
  }
  auto service =
      std::make_unique<Http>(*address, std::move(*found), std::move(program));
  if (const Result<void> there = service->WaitUntilThere(); !there) {
    return there.error();
  }
  return std::unique_ptr<Service>(std::move(service));
}

}  // namespace edgewise::apps
