// Proxy: a TCP proxy that makes the link between its two sides worse.
//
// One thread, one epoll loop. What is read on one side is written to the other
// when it is due (lane.h says when). At most kProxyBufferBytes wait in each
// direction of a connection; beyond that the sender is not read from, so that
// its own TCP holds it back. End of file, half-close and reset pass through.
//
// With nothing asked for bytes go straight through. Randomness is seeded: the
// same bytes at the same times meet the same fate.
#ifndef EDGEWISE_IMPAIR_PROXY_H_
#define EDGEWISE_IMPAIR_PROXY_H_

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "impair/impairment.h"
#include "stats/sketch.h"

namespace edgewise {

inline constexpr int64_t kProxyBufferBytes = 1 << 20;
// Further connections are refused.
inline constexpr int kMaxProxyConnections = 1024;

struct ProxySettings {
  std::string listen_host = "127.0.0.1";
  int listen_port = 0;  // 0: a free one
  std::string upstream_host;
  int upstream_port = 0;
  Impairment impairment;
  uint64_t seed = 1;
  // Network namespaces (open descriptors, copied) in which the sockets of
  // either side are made; -1: that of the caller.
  int listen_namespace_fd = -1;
  int upstream_namespace_fd = -1;
};

struct ProxyCounts {
  int64_t connections = 0;        // accepted and connected upstream
  int64_t open_connections = 0;   // of those, now
  int64_t refused = 0;            // reset at once: outage, or too many
  int64_t upstream_failures = 0;  // upstream could not be reached
  int64_t disconnects = 0;        // connections reset on schedule
  int64_t bytes_to_upstream = 0;
  int64_t bytes_to_client = 0;
  int64_t segments = 0;       // of up to 1448 bytes; 0 if loss is not modelled
  int64_t lost_segments = 0;  // that came late as if sent again
  // From read to write, one value per piece that had to wait.
  stats::Sketch added_delay_ns;
  // Why upstream was last not reached; empty if it always was.
  std::string last_upstream_error;
};

class Proxy {
 public:
  // Looks up the upstream host, listens, starts the thread. That nobody
  // listens upstream is no error: it may come later. kInvalid for names that
  // cannot be found, kBusy for a port that is taken.
  static Result<Proxy> Start(const ProxySettings& settings);
  Proxy(Proxy&&) noexcept;
  Proxy& operator=(Proxy&&) noexcept;
  ~Proxy();  // as Stop()

  // Where it listens.
  const std::string& host() const;
  int port() const;
  // Thread-safe.
  ProxyCounts Counts() const;
  // Resets all connections and ends the thread; Counts() stays. Later calls do
  // nothing.
  void Stop();

 private:
  struct State;
  explicit Proxy(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace edgewise

#endif  // EDGEWISE_IMPAIR_PROXY_H_
