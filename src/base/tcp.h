// TCP addresses, and sockets that listen on them.
#ifndef EDGEWISE_BASE_TCP_H_
#define EDGEWISE_BASE_TCP_H_

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

// Whether only this machine can reach it: 127.0.0.0/8 and ::1.
bool IsLoopback(const SocketAddress& address);
// The host's part as numbers, e.g. "127.0.0.1" or "::1"; empty if it has none.
std::string AddressText(const sockaddr* address);

// Binds a fresh socket and listens; `where` is how the error calls the address.
// kBusy if the port is taken, kPermission if it may not be used.
Result<void> ListenOn(int socket, const SocketAddress& address, int backlog,
                      const std::string& where);
// The port a socket is bound to; 0 if it cannot be told.
int BoundPort(int socket);

}  // namespace edgewise

#endif  // EDGEWISE_BASE_TCP_H_
