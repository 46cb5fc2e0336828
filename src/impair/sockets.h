// TCP sockets as the proxy needs them: never blocking, closed on exec, made in
// the network namespace that is asked for.
#ifndef EDGEWISE_IMPAIR_SOCKETS_H_
#define EDGEWISE_IMPAIR_SOCKETS_H_

#include <sys/socket.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace edgewise {

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;

  const sockaddr* get() const {
    return reinterpret_cast<const sockaddr*>(&storage);
  }
};

// All addresses of a host, at least one; kInvalid names the host.
Result<std::vector<SocketAddress>> FindAddresses(const std::string& host,
                                                 int port, bool to_listen);

// kBusy if the port is taken, kPermission if it may not be used.
Result<UniqueFd> Listen(const std::string& host, int port, int namespace_fd);
// The port a socket is bound to; 0 if it cannot be told.
int BoundPort(int socket);

// Begins to connect; an invalid descriptor (errno is set) if that fails at
// once. Writable once it has succeeded or failed (SocketError says which).
UniqueFd BeginConnect(const SocketAddress& address, int namespace_fd);
// Takes a socket's pending error: an errno, or 0.
int SocketError(int socket);

void SetNoDelay(int socket);
// Closes so that the peer sees a reset instead of an end of file.
void Reset(UniqueFd* socket);

}  // namespace edgewise

#endif  // EDGEWISE_IMPAIR_SOCKETS_H_
