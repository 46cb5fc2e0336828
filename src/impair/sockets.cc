#include "impair/sockets.h"

#include <netinet/in.h>
#include <netinet/tcp.h>

#include <cerrno>

#include "base/host_port.h"
#include "controls/network_namespace.h"

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

Result<UniqueFd> Listen(const std::string& host, int port, int namespace_fd) {
  const auto addresses = FindAddresses(host, port, true);
  if (!addresses) {
    return addresses.error();
  }
  const SocketAddress& address = addresses->front();
  const std::string where = FormatHostPort(host, port);
  UniqueFd socket = MakeSocket(address.storage.ss_family, namespace_fd);
  if (!socket.valid()) {
    const int error = errno;
    return Error{ErrorCodeFromErrno(error),
                 "cannot listen on " + where + ": " + ErrnoText(error)};
  }
  if (const auto listening = ListenOn(socket.get(), address, kBacklog, where);
      !listening) {
    return listening.error();
  }
  return socket;
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
