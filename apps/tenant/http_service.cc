// Services that are asked over HTTP.
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/clock.h"
#include "base/host_port.h"
#include "base/tcp.h"
#include "base/unique_fd.h"
#include "base/write_all.h"
#include "tenant/service.h"
#include "tenant/started_program.h"
#include "tenant/stop_event.h"

namespace edgewise::apps {
namespace {

constexpr int64_t kReadyWithinNs = 60 * kNsPerSecond;
constexpr int kLookMs = 20;
constexpr int kConnectMs = 60'000;
constexpr size_t kMostAnswerBytes = size_t{64} << 20;

Error Failed(const std::string& what) { return {ErrorCode::kIo, what}; }

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

// Invalid if nobody takes the connection, or `stop` (-1: none) is readable
// first.
UniqueFd ConnectTo(const SocketAddress& address, int stop) {
  UniqueFd socket(::socket(address.storage.ss_family,
                           SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.valid()) {
    return {};
  }
  if (::connect(socket.get(), address.get(), address.size) != 0) {
    pollfd waiting[] = {{socket.get(), POLLOUT, 0}, {stop, POLLIN, 0}};
    int error = 0;
    socklen_t size = sizeof(error);
    if (errno != EINPROGRESS || ::poll(waiting, 2, kConnectMs) <= 0 ||
        waiting[0].revents == 0 ||
        ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0 ||
        error != 0) {
      return {};
    }
  }
  const int flags = ::fcntl(socket.get(), F_GETFL);
  ::fcntl(socket.get(), F_SETFL, flags & ~O_NONBLOCK);
  return socket;
}

class Http : public Service {
 public:
  Http(Address address, std::vector<SocketAddress> found,
       std::unique_ptr<StartedProgram> program)
      : address_(std::move(address)),
        found_(std::move(found)),
        program_(std::move(program)) {}

  // A service that is being started refuses connections for a while.
  Result<void> WaitUntilThere() {
    const int64_t until_ns = MonotonicNs() + kReadyWithinNs;
    while (MonotonicNs() < until_ns) {
      const bool there = Connect(StopEvent()).valid();
      // Another one may have been there before.
      if (program_ && program_->over()) {
        return Failed("the service ended before it could be asked at " +
                      address_.authority + ": try its command by itself");
      }
      if (there) {
        return {};
      }
      if (WaitForStop(kLookMs)) {
        return Failed("stopped before " + address_.authority + " answered");
      }
    }
    return Failed("nothing answers at " + address_.authority +
                  " within a minute: is the address right?");
  }

  Result<void> Answer(uint64_t, Checksum& checksum) override {
    // A stop ends the tenant in order; it is no failure of the service.
    const UniqueFd socket = Connect(-1);
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
  UniqueFd Connect(int stop) const {
    for (const SocketAddress& address : found_) {
      if (UniqueFd socket = ConnectTo(address, stop); socket.valid()) {
        return socket;
      }
    }
    return {};
  }

  Address address_;
  std::vector<SocketAddress> found_;
  std::unique_ptr<StartedProgram> program_;
};

}  // namespace

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
  std::unique_ptr<StartedProgram> program;
  if (!command.empty()) {
    if (std::any_of(found->begin(), found->end(), [](const auto& each) {
          return ConnectTo(each, StopEvent()).valid();
        })) {
      return Failed("something answers at " + address->authority +
                    " before the service is started: end it, or write {port} "
                    "for a free port");
    }
    std::vector<std::string> words;
    for (const std::string& word : command) {
      words.push_back(WithPort(word, port));
    }
    auto started = ChildProgram::Start(words, {.output = STDERR_FILENO});
    if (!started) {
      return started.error();
    }
    program = std::make_unique<StartedProgram>(std::move(*started));
  }
  auto service =
      std::make_unique<Http>(*address, std::move(*found), std::move(program));
  if (const Result<void> there = service->WaitUntilThere(); !there) {
    return there.error();
  }
  return std::unique_ptr<Service>(std::move(service));
}

}  // namespace edgewise::apps
