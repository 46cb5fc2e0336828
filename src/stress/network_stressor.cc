#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <thread>

#include "base/unique_fd.h"
#include "stress/rated_work.h"
#include "stress/stressors.h"

namespace edgewise {
namespace {

constexpr size_t kPieceBytes = size_t{64} << 10;

Error Failed(const char* what) {
  return {ErrorCodeFromErrno(errno),
          std::string("the loopback interface cannot be used (") + what + ": " +
              ErrnoText() + "): bring it up with `ip link set lo up`"};
}

// Two ends of one TCP connection on the loopback interface.
struct Connection {
  UniqueFd sender;
  UniqueFd receiver;
};

Result<Connection> Connect() {
  UniqueFd listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (!listener.valid() || ::bind(listener.get(), generic, size) != 0 ||
      ::listen(listener.get(), 1) != 0 ||
      ::getsockname(listener.get(), generic, &size) != 0) {
    return Failed("listen");
  }
  Connection connection;
  connection.sender.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!connection.sender.valid() ||
      ::connect(connection.sender.get(), generic, size) != 0) {
    return Failed("connect");
  }
  connection.receiver.reset(
      ::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!connection.receiver.valid()) {
    return Failed("accept");
  }
  // Somebody else may have come first: then the ends are not of one line.
  sockaddr_in from{};
  sockaddr_in own{};
  socklen_t from_size = sizeof from;
  socklen_t own_size = sizeof own;
  ::getpeername(connection.receiver.get(), reinterpret_cast<sockaddr*>(&from),
                &from_size);
  ::getsockname(connection.sender.get(), reinterpret_cast<sockaddr*>(&own),
                &own_size);
  if (from.sin_port != own.sin_port) {
    return Error{ErrorCode::kBusy,
                 "another program took the stressor's connection: try again"};
  }
  return connection;
}

class NetworkStressor : public Stressor {
 public:
  NetworkStressor(const StressSettings& settings, Connection connection)
      : settings_(settings), connection_(std::move(connection)) {}

  Result<StressOutcome> Press(const StopClock& stop) override {
    // What is received counts; the sender waits where the receiver is slow, so
    // that the two differ by no more than the socket's buffers.
    std::thread receiver([this] { Receive(); });
    const std::vector<char> bytes(kPieceBytes, 'e');
    RatedWork work;
    work.name = "sent over loopback";
    work.hint =
        "others use the cores or the network stack as well, and left less "
        "than was asked for";
    work.pieces.emplace_back([this, &bytes] {
      const ssize_t sent = ::send(connection_.sender.get(), bytes.data(),
                                  bytes.size(), MSG_NOSIGNAL);
      return sent < 0 && errno == EINTR ? 0 : static_cast<double>(sent);
    });
    StressOutcome outcome = ApplyRate(stop, settings_.spec.dial_percent, work);
    ::shutdown(connection_.sender.get(), SHUT_RDWR);
    receiver.join();
    outcome.figures.push_back({"received in all", "bytes", std::nullopt,
                               static_cast<double>(received_bytes_.load())});
    return outcome;
  }

 private:
  void Receive() {
    std::vector<char> bytes(kPieceBytes);
    for (;;) {
      const ssize_t size =
          ::recv(connection_.receiver.get(), bytes.data(), bytes.size(), 0);
      if (size > 0) {
        received_bytes_ += size;
      } else if (size == 0 || errno != EINTR) {
        return;
      }
    }
  }

  StressSettings settings_;
  Connection connection_;
  std::atomic<int64_t> received_bytes_ = 0;
};

}  // namespace

MadeStressor MakeNetworkStressor(const StressSettings& settings) {
  auto connection = Connect();
  if (!connection) {
    return connection.error();
  }
  return std::unique_ptr<Stressor>(
      std::make_unique<NetworkStressor>(settings, std::move(*connection)));
}

}  // namespace edgewise
