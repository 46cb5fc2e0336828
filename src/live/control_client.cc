#include "live/control_client.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "base/text.h"

namespace edgewise::live {
namespace {

constexpr size_t kMostAnswerBytes = size_t{256} << 20;

Result<UniqueFd> Connect(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path)) {
    return Error{ErrorCode::kInvalid,
                 "the socket path " + path + " is too long"};
  }
  memcpy(address.sun_path, path.data(), path.size());
  UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket.valid() ||
      connect(socket.get(), reinterpret_cast<const sockaddr*>(&address),
              sizeof(address)) != 0) {
    if (errno == EACCES || errno == EPERM) {
      return Error{ErrorCode::kPermission,
                   "the agent at " + path +
                       " answers only its own user and root: try sudo"};
    }
    return Error{ErrorCode::kUnsupported,
                 "no agent answers at " + path +
                     ": start one with edgewise agent, or say where it is "
                     "with --socket"};
  }
  return socket;
}

// Reads the first line of an answer; an error if the agent says so.
Result<void> ReadStatus(int socket) {
  std::string line;
  for (char c = 0; c != '\n';) {
    const ssize_t count = recv(socket, &c, 1, 0);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0 && errno == EAGAIN) {
      return Error{ErrorCode::kBusy,
                   "the agent does not answer; is it stopped?"};
    }
    if (count <= 0 || line.size() > 4096) {
      return Error{ErrorCode::kIo, "the agent hung up without an answer"};
    }
    line.push_back(c);
  }
  const std::string_view text = Trim(line);
  if (text == "ok") {
    return {};
  }
  const auto pieces = Split(text, ' ');
  const auto code = pieces.size() > 2 && pieces[0] == "error"
                        ? ParseInt(pieces[1])
                        : std::nullopt;
  if (!code || *code < 0 || *code > static_cast<int64_t>(ErrorCode::kIo)) {
    return Error{ErrorCode::kIo, "the agent's answer makes no sense"};
  }
  const size_t message = pieces[0].size() + pieces[1].size() + 2;
  return Error{static_cast<ErrorCode>(*code),
               std::string(text.substr(message))};
}

Result<UniqueFd> Ask(const std::string& path, const std::string& request) {
  if (request.find('\n') != std::string::npos) {
    return Error{ErrorCode::kInvalid, "a name cannot have line breaks"};
  }
  auto socket = Connect(path);
  if (!socket) {
    return socket;
  }
  // An agent that is stopped or hangs must not take us with it.
  const timeval patience{30, 0};
  (void)setsockopt(socket->get(), SOL_SOCKET, SO_RCVTIMEO, &patience,
                   sizeof(patience));
  const std::string line = request + "\n";
  if (send(socket->get(), line.data(), line.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(line.size())) {
    return Error{ErrorCode::kIo, "the agent hung up: " + ErrnoText()};
  }
  if (const Result<void> status = ReadStatus(socket->get()); !status) {
    return status.error();
  }
  return socket;
}

}  // namespace

Result<std::string> AskAgent(const std::string& socket_path,
                             const std::string& request) {
  const auto socket = Ask(socket_path, request);
  if (!socket) {
    return socket.error();
  }
  std::string answer;
  char bytes[16384];
  while (answer.size() < kMostAnswerBytes) {
    const ssize_t count = recv(socket->get(), bytes, sizeof(bytes), 0);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      break;
    }
    answer.append(bytes, static_cast<size_t>(count));
  }
  return answer;
}

Result<FoundApp> FindAppOfAgent(const std::string& socket_path,
                                const std::string& app) {
  const auto answer = AskAgent(socket_path, "find " + app);
  if (!answer) {
    return answer.error();
  }
  const auto lines = Split(*answer, '\n');
  const auto pid = ParseInt(lines.front());
  if (!pid || lines.size() < 3) {
    return Error{ErrorCode::kIo, "the agent's answer makes no sense"};
  }
  return FoundApp{static_cast<int>(*pid), std::string(lines[1]),
                  std::string(lines[2])};
}

Result<UniqueFd> OpenTap(const std::string& socket_path,
                         const std::string& app) {
  return Ask(socket_path, "tap " + app);
}

}  // namespace edgewise::live
