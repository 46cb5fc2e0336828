// ProxiedConnection: the two sockets of one connection through the proxy, and
// what flows between them.
#ifndef EDGEWISE_IMPAIR_PROXIED_CONNECTION_H_
#define EDGEWISE_IMPAIR_PROXIED_CONNECTION_H_

#include <cstdint>
#include <optional>
#include <utility>

#include "base/unique_fd.h"
#include "impair/flow.h"

namespace edgewise {

class ProxiedConnection {
 public:
  enum Side { kClient, kUpstream };

  // `epoll_fd` tells of both sockets with data.u64 = (id << 1) | side.
  ProxiedConnection(uint64_t id, int epoll_fd, UniqueFd client,
                    Flow to_upstream, Flow to_client);
  // Both peers see a reset unless done().
  ~ProxiedConnection();
  ProxiedConnection(const ProxiedConnection&) = delete;
  ProxiedConnection& operator=(const ProxiedConnection&) = delete;

  // A socket that began to connect to the `attempt`th address; false if the
  // kernel cannot watch it.
  bool SetUpstream(UniqueFd upstream, size_t attempt);
  size_t attempt() const { return attempt_; }
  bool connected() const { return connected_; }
  // Upstream is there: bytes may flow. False if the kernel cannot watch for
  // them.
  bool Connected();
  // The errno of a failed attempt to connect; 0 if it succeeded.
  int ConnectError() const;

  // What epoll said of a side. False when the connection is broken.
  bool Handle(Side side, uint32_t events, int64_t now_ns);
  // Something may be due. False when the connection is broken.
  bool HandleTime(int64_t now_ns);

  // Both directions have ended in good order.
  bool done() const { return to_upstream_.done() && to_client_.done(); }
  // When HandleTime is next of use.
  std::optional<int64_t> NextDueNs() const;

 private:
  // A socket, and what epoll was told of it.
  struct End {
    UniqueFd socket;
    bool watched = false;
    uint32_t events = 0;
  };

  bool Watch(Side side, uint32_t events);
  bool Unwatch(Side side);
  // Tells epoll what is now wanted of both sockets.
  bool Update();

  const uint64_t id_;
  const int epoll_fd_;
  End ends_[2];
  size_t attempt_ = 0;
  bool connected_ = false;
  Flow to_upstream_;
  Flow to_client_;
};

}  // namespace edgewise

#endif  // EDGEWISE_IMPAIR_PROXIED_CONNECTION_H_
