// What an agent hands out of what it keeps.
#include "base/clock.h"
#include "live/agent_state.h"
#include "live/own_process.h"

namespace edgewise::live {

std::optional<uint32_t> AgentKnobs::ClientOf(const LiveApp& app) const {
  for (const auto& [id, client] : sink_.clients()) {
    if (client.app == &app) {
      return id;
    }
  }
  return std::nullopt;
}

std::vector<ClientKnob> AgentKnobs::KnobsOf(const LiveApp& app) {
  const auto client = ClientOf(app);
  return client ? collector_.Knobs(*client) : std::vector<ClientKnob>();
}

void AgentKnobs::SetKnob(const LiveApp& app, const std::string& name,
                         std::optional<double> value) {
  if (const auto client = ClientOf(app)) {
    (void)collector_.SetKnob(*client, name, value);
  }
}

void Agent::State::AddControl(AgentSnapshot* snapshot) const {
  if (!loop) {
    return;
  }
  snapshot->control = loop->Snapshot();
  for (AppSnapshot& app : snapshot->apps) {
    app.goal = loop->GoalOf(app.identity);
    app.control = loop->StateOf(app.id);
  }
}

void Agent::State::UpdateAccounts() {
  for (const auto& [id, client] : sink.clients()) {
    auto counts = collector->Counts(id);
    if (!counts && waggle) {
      counts = waggle->Counts(id);
    }
    if (counts) {
      client.app->account = std::move(*counts);
    }
  }
}

AgentSnapshot Agent::State::Snapshot(Intervals intervals) {
  UpdateAccounts();
  const int64_t now_ns = MonotonicNs();
  AgentSnapshot snapshot;
  snapshot.utc_ns = UtcNs();
  snapshot.node_uuid = uuid;
  snapshot.machine = machine;
  snapshot.version = settings.version;
  snapshot.node = node;
  snapshot.gpus = gpus;
  snapshot.agent.cpu_s = static_cast<double>(ProcessCpuNs()) / 1e9;
  snapshot.agent.rss_bytes = OwnRssBytes();
  snapshot.agent.uptime_s = static_cast<double>(now_ns - started_ns) / 1e9;
  snapshot.agent.refused_clients =
      collector->refused_clients() + (waggle ? waggle->refused_clients() : 0);
  snapshot.agent.last_refusal = collector->last_refusal();
  snapshot.apps = SnapshotApps(registry, now_ns, intervals);
  AddControl(&snapshot);
  return snapshot;
}

}  // namespace edgewise::live
