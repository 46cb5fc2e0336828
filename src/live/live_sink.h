// LiveSink: takes what comes out of the clients' rings into the registry.
#ifndef EDGEWISE_LIVE_LIVE_SINK_H_
#define EDGEWISE_LIVE_LIVE_SINK_H_

#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

#include "live/registry.h"
#include "live/tap.h"
#include "probes/rings/ring_events.h"

namespace edgewise::live {

// Who a process is, from what it says, its cgroup and the engine.
using IdentityFinder = std::function<Newcomer(const RingClient&)>;

// Metrics that one app may have; events of more are dropped and counted.
inline constexpr size_t kMostMetricsPerApp = 128;

// Not thread-safe. The registry must outlive it.
class LiveSink : public RingSink {
 public:
  LiveSink(Registry& registry, IdentityFinder find_identity)
      : registry_(registry), find_identity_(std::move(find_identity)) {}

  void OnClientStart(const RingClient& client) override;
  void OnName(const RingClient& client, uint32_t id, EventKind kind,
              std::string_view name) override;
  void OnSpans(const RingClient& client,
               std::span<const SpanEvent> spans) override;
  void OnMetrics(const RingClient& client,
                 std::span<const MetricEvent> metrics) override;
  void OnJobs(const RingClient& client,
              std::span<const JobEvent> jobs) override;
  void OnClientEnd(const RingClient& client,
                   const RingAccount& account) override;

  // Passes on what an app records from now on, until RemoveTap. The tap must
  // live that long.
  void AddTap(uint64_t app_id, TapWriter* tap);
  void RemoveTap(TapWriter* tap);

  // The clients that are there, by the collector's id.
  struct Client {
    LiveApp* app = nullptr;
    std::vector<LiveMetric*> metrics;  // by the client's names; may be null
  };
  const std::unordered_map<uint32_t, Client>& clients() const {
    return clients_;
  }

 private:
  Client& ClientOf(uint32_t id) { return clients_.at(id); }
  template <typename Event>
  void PassOn(const Client& client, std::span<const Event> events);

  Registry& registry_;
  IdentityFinder find_identity_;
  std::unordered_map<uint32_t, Client> clients_;
  std::multimap<uint64_t, TapWriter*> taps_;  // by app
};

// The metric of an app by this name, made if it is new; null beyond
// kMostMetricsPerApp.
LiveMetric* MetricOf(LiveApp& app, EventKind kind, std::string_view name,
                     int64_t now_ns);

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_LIVE_SINK_H_
