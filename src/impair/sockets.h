// TCP sockets as the proxy needs them: never blocking, closed on exec, made in
// the network namespace that is asked for.
#ifndef EDGEWISE_IMPAIR_SOCKETS_H_
#define EDGEWISE_IMPAIR_SOCKETS_H_

#include <string>

#include "base/result.h"
#include "base/tcp.h"
#include "base/unique_fd.h"

namespace edgewise {

// kBusy if the port is taken, kPermission if it may not be used.
Result<UniqueFd> Listen(const std::string& host, int port, int namespace_fd);

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
