// The socket half of the handshake between clients and a collector.
#ifndef EDGEWISE_PROBES_RINGS_HELLO_SOCKET_H_
#define EDGEWISE_PROBES_RINGS_HELLO_SOCKET_H_

#include <sys/socket.h>
#include <sys/types.h>

#include <string>

#include "base/result.h"
#include "base/unique_fd.h"
#include "client/ring_layout.h"

namespace edgewise {

// A non-blocking listening socket at `path`. Replaces the socket of a
// collector that has died; kBusy if one is alive there.
Result<UniqueFd> ListenAt(const std::string& path, mode_t mode,
                          int type = SOCK_SEQPACKET);

struct SocketMessage {
  enum class Kind {
    kNothing,   // nothing to read now
    kClosed,    // the other end is gone
    kHello,     // exactly a Hello with exactly one descriptor
    kDoorbell,  // one byte
    kIdentity,  // client::kIdentityMagic and text after it
    kRubbish,
  };
  Kind kind = Kind::kNothing;
  client::Hello hello{};
  UniqueFd memfd;
  std::string identity;  // printable lines
};

// Reads one message without blocking. Descriptors that are not asked for are
// closed.
SocketMessage ReadMessage(int socket_fd);

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_RINGS_HELLO_SOCKET_H_
