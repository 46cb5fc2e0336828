#include "impair/sockets.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include <cerrno>
#include <cstring>

#include "controls/network_namespace.h"
#include "impair/host_port.h"

namespace edgewise {
namespace {

constexpr int kBacklog = 128;

UniqueFd MakeSocket(int family, int namespace_fd) {
  const InNetworkNamespace inside(namespace_fd);
  if (inside.error() != 0) {
    errno = inside.error();
    return UniqueFd();
  }
  return UniqueFd(
      ::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

}  // namespace

Result<std::vector<SocketAddress>> FindAddresses(const std::string& host,
                                                 int port, bool to_listen) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV | (to_listen ? AI_PASSIVE : 0);
  addrinfo* found = nullptr;
  const int failed =
      ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (failed != 0 || found == nullptr) {
    return Error{ErrorCode::kInvalid,
                 "there is no host \"" + host + "\" (" + gai_strerror(failed) +
                     "): write its name or address as HOST:PORT"};
  }
  std::vector<SocketAddress> addresses;
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    SocketAddress address;
    std::memcpy(&address.storage, each->ai_addr, each->ai_addrlen);
    address.size = each->ai_addrlen;
    addresses.push_back(address);
  }
  ::freeaddrinfo(found);
  return addresses;
}

Result<UniqueFd> Listen(const std::string& host, int port, int namespace_fd) {
  const auto addresses = FindAddresses(host, port, true);
  if (!addresses) {
    return addresses.error();
  }
  const SocketAddress& address = addresses->front();
  UniqueFd socket = MakeSocket(address.storage.ss_family, namespace_fd);
  const int yes = 1;
  if (socket.valid() &&
      ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) ==
          0 &&
      ::bind(socket.get(), address.get(), address.size) == 0 &&
      ::listen(socket.get(), kBacklog) == 0) {
    return socket;
  }
  const int error = errno;
  const std::string where = FormatHostPort(host, port);
  if (error == EADDRINUSE) {
    return Error{ErrorCode::kBusy,
                 "cannot listen on " + where +
                     ": another program does; choose another port, or 0 for a "
                     "free one"};
  }
  return Error{ErrorCodeFromErrno(error),
               "cannot listen on " + where + ": " + ErrnoText(error)};
}

int BoundPort(int socket) {
  sockaddr_storage own{};
  socklen_t size = sizeof own;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&own), &size) != 0) {
    return 0;
  }
  return own.ss_family == AF_INET6
             ? ntohs(reinterpret_cast<const sockaddr_in6*>(&own)->sin6_port)
             : ntohs(reinterpret_cast<const sockaddr_in*>(&own)->sin_port);
}

UniqueFd BeginConnect(const SocketAddress& address, int namespace_fd) {
  UniqueFd socket = MakeSocket(address.storage.ss_family, namespace_fd);
  if (!socket.valid()) {
    return socket;
  }
  SetNoDelay(socket.get());
  if (::connect(socket.get(), address.get(), address.size) != 0 &&
      errno != EINPROGRESS) {
    const int error = errno;
    socket.reset();
    errno = error;
  }
  return socket;
}

int SocketError(int socket) {
  int error = 0;
  socklen_t size = sizeof error;
  return ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error
                                                                        : errno;
}

void SetNoDelay(int socket) {
  const int yes = 1;
  (void)::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

void Reset(UniqueFd* socket) {
  const linger at_once{1, 0};
  (void)::setsockopt(socket->get(), SOL_SOCKET, SO_LINGER, &at_once,
                     sizeof at_once);
  socket->reset();
}

}  // namespace edgewise
