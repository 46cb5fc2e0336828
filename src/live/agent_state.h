// What an Agent keeps; shared by the sources of Agent.
#ifndef EDGEWISE_LIVE_AGENT_STATE_H_
#define EDGEWISE_LIVE_AGENT_STATE_H_

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "live/agent.h"
#include "live/app_sampler.h"
#include "live/control_loop.h"
#include "live/control_server.h"
#include "live/gpu_watch.h"
#include "live/identify.h"
#include "live/live_sink.h"
#include "live/waggle_server.h"
#include "probes/rings/ring_collector.h"

namespace edgewise::live {

// Knobs of apps, by the connection that each has.
class AgentKnobs : public KnobAccess {
 public:
  AgentKnobs(RingCollector& collector, const LiveSink& sink)
      : collector_(collector), sink_(sink) {}
  std::vector<ClientKnob> KnobsOf(const LiveApp& app) override;
  void SetKnob(const LiveApp& app, const std::string& name,
               std::optional<double> value) override;

 private:
  std::optional<uint32_t> ClientOf(const LiveApp& app) const;

  RingCollector& collector_;
  const LiveSink& sink_;
};

struct Agent::State {
  explicit State(AgentSettings s)
      : settings(std::move(s)),
        registry(settings.keep_gone_ns),
        identifier(settings.host_root),
        sink(registry,
             [this](const RingClient& client) {
               return identifier.Identify(client);
             }),
        sampler(settings.sample_every_ns) {}

  AgentSettings settings;
  std::string uuid;
  Machine machine;
  int64_t started_ns = MonotonicNs();
  std::map<std::string, Card> cards;

  mutable std::mutex mutex;  // for all that follows
  Registry registry;
  Identifier identifier;
  LiveSink sink;
  AppSampler sampler;
  NodeProbe node_probe;
  NodeReading node;
  GpuWatch gpu_watch;
  NodeGpus gpus;
  std::unique_ptr<RingCollector> collector;
  std::unique_ptr<WaggleServer> waggle;
  std::unique_ptr<ControlServer> control;
  std::unique_ptr<ControlLoop> loop;  // null without goals

  int64_t next_drain_ns = 0;
  int64_t next_node_ns = 0;
  int64_t next_housekeeping_ns = 0;

  Result<void> Listen();
  Result<ControlAnswer> AnswerControl(std::string_view request);
  void HandleReady(uint64_t ready);
  void HandleClock(int64_t now_ns);
  void CompareWithCards(int64_t now_ns);
  void UpdateAccounts();
  void AddControl(AgentSnapshot* snapshot) const;
  AgentSnapshot Snapshot(Intervals intervals = Intervals::kWith);
};

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_AGENT_STATE_H_
