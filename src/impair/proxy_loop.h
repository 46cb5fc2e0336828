// ProxyLoop: the one thread of a Proxy: accepts, connects, carries,
// disconnects.
#ifndef EDGEWISE_IMPAIR_PROXY_LOOP_H_
#define EDGEWISE_IMPAIR_PROXY_LOOP_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "impair/acceptor.h"
#include "impair/proxied_connection.h"
#include "impair/proxy.h"
#include "impair/sockets.h"

namespace edgewise {

class ProxyLoop {
 public:
  // Takes over a socket that listens. The descriptors of namespaces in
  // `settings` must stay open.
  static Result<std::unique_ptr<ProxyLoop>> Make(
      const ProxySettings& settings, UniqueFd listener,
      std::vector<SocketAddress> upstream);

  // Until Stop(); resets all connections at the end.
  void Run();
  // Both from any thread.
  void Stop();
  ProxyCounts Counts() const;

 private:
  ProxyLoop(const ProxySettings& settings, UniqueFd listener,
            std::vector<SocketAddress> upstream);
  bool Open();

  void HandleEvent(uint64_t data, uint32_t events);
  void Accept();

  void Adopt(UniqueFd client);
  // Tries addresses from the `attempt`th on; false if none is left.
  bool ConnectFrom(ProxiedConnection* connection, size_t attempt);
  // An attempt has ended. False if there is no hope left.
  bool FinishConnect(ProxiedConnection* connection);
  void NoteUpstreamError(int error);

  void CarryDue();
  // Disconnects, and accepts again after a pause.
  void KeepSchedule();
  // Notes when a connection has something due, or that it is over.
  void Settle(uint64_t id, bool intact);
  void Schedule(uint64_t id, std::optional<int64_t> due_ns);
  void ArmTimer();

  struct Entry {
    std::unique_ptr<ProxiedConnection> connection;
    std::optional<int64_t> scheduled_ns;
  };

  const ProxySettings settings_;
  Acceptor acceptor_;
  const std::vector<SocketAddress> upstream_;
  UniqueFd epoll_;
  UniqueFd timer_;
  UniqueFd stop_;

  // Guards what follows; held while the loop works, not while it waits.
  mutable std::mutex mutex_;
  ProxyCounts counts_;
  RateLimit rate_to_upstream_;
  RateLimit rate_to_client_;
  std::unordered_map<uint64_t, Entry> connections_;
  std::set<std::pair<int64_t, uint64_t>> due_;
  uint64_t next_id_ = 0;
  int64_t now_ns_ = 0;
  int64_t armed_ns_ = 0;
  std::optional<int64_t> next_disconnect_ns_;
  int64_t refuse_until_ns_ = 0;
};

}  // namespace edgewise

#endif  // EDGEWISE_IMPAIR_PROXY_LOOP_H_
