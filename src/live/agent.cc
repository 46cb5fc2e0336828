#include "live/agent.h"

#include <unistd.h>

#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "base/text.h"
#include "live/anomaly.h"
#include "live/app_sampler.h"
#include "live/control_server.h"
#include "live/gpu_watch.h"
#include "live/identify.h"
#include "live/live_sink.h"
#include "live/node_uuid.h"
#include "live/own_process.h"
#include "live/recent_values.h"
#include "live/top_text.h"
#include "live/waggle_server.h"
#include "probes/machine.h"
#include "probes/rings/ring_collector.h"
#include "sessions/wait_set.h"

namespace edgewise::live {
namespace {

constexpr uint64_t kStopBit = 1;
constexpr uint64_t kRingsBit = 2;
constexpr uint64_t kWaggleBit = 4;
constexpr uint64_t kControlBit = 8;

constexpr int64_t kNodeEveryNs = RecentValues::kEveryNs;
constexpr int64_t kHousekeepingEveryNs = kNsPerSecond;
// Clients that ring without end are heard this often.
constexpr int64_t kLeastBetweenWakesNs = 2 * kNsPerMs;
// Of one client at a time; what is more waits in its ring.
constexpr uint64_t kMostRecordsPerDrain = 16384;

}  // namespace

std::string ControlSocketOf(const std::string& socket_path) {
  return socket_path + ".control";
}

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

  int64_t next_drain_ns = 0;
  int64_t next_node_ns = 0;
  int64_t next_housekeeping_ns = 0;

  Result<void> Listen();
  Result<ControlAnswer> AnswerControl(std::string_view request);
  void HandleReady(uint64_t ready);
  void HandleClock(int64_t now_ns);
  void CompareWithCards(int64_t now_ns);
  void UpdateAccounts();
  AgentSnapshot Snapshot(Intervals intervals = Intervals::kWith);
};

Result<void> Agent::State::Listen() {
  if (Result<void> made = MakeFolderOf(settings.socket_path); !made) {
    return made;
  }
  const mode_t mode =
      settings.socket_mode.value_or(geteuid() == 0 ? 0666 : 0600);
  RingCollectorOptions options;
  options.socket_path = settings.socket_path;
  options.socket_mode = mode;
  options.max_clients = settings.most_clients;
  options.max_clients_of_user = settings.most_clients / 2;
  options.names_of_each_client = kMostMetricsPerApp;
  options.max_records_per_drain = kMostRecordsPerDrain;
  auto listening = RingCollector::Create(std::move(options));
  if (!listening) {
    return listening.error();
  }
  collector = std::move(*listening);
  if (!settings.waggle_socket.empty()) {
    if (Result<void> made = MakeFolderOf(settings.waggle_socket); !made) {
      return made;
    }
    auto server = WaggleServer::Listen(settings.waggle_socket, mode);
    if (!server) {
      return server.error();
    }
    waggle = std::move(*server);
  }
  auto server = ControlServer::Listen(
      ControlSocketOf(settings.socket_path),
      [this](std::string_view request) { return AnswerControl(request); },
      sink);
  if (!server) {
    return server.error();
  }
  control = std::move(*server);
  return {};
}

Result<ControlAnswer> Agent::State::AnswerControl(std::string_view request) {
  const size_t space = request.find(' ');
  const std::string_view verb = request.substr(0, space);
  const std::string_view rest = space == std::string_view::npos
                                    ? std::string_view()
                                    : request.substr(space + 1);
  if (verb == "snapshot") {
    return ControlAnswer{SnapshotJson(Snapshot()) + "\n", std::nullopt};
  }
  if (verb == "top") {
    return ControlAnswer{TopText(Snapshot(), ParseTopStyle(rest)),
                         std::nullopt};
  }
  if (verb == "find" || verb == "tap") {
    const auto app = FindApp(registry, rest);
    if (!app) {
      return app.error();
    }
    if (verb == "tap") {
      return ControlAnswer{"", (*app)->id};
    }
    return ControlAnswer{std::to_string((*app)->pid) + "\n" +
                             (*app)->identity.name + "\n" +
                             (*app)->identity.instance + "\n",
                         std::nullopt};
  }
  return Error{ErrorCode::kInvalid,
               "the agent does not know \"" + std::string(verb) +
                   "\"; use the same version of edgewise for both"};
}

void Agent::State::HandleReady(uint64_t ready) {
  if ((ready & kRingsBit) != 0) {
    collector->Wake(sink);
  }
  if ((ready & kWaggleBit) != 0) {
    waggle->Serve(sink);
  }
  if ((ready & kControlBit) != 0) {
    control->Serve();
  }
}

void Agent::State::HandleClock(int64_t now_ns) {
  if (now_ns < next_drain_ns) {
    return;
  }
  next_drain_ns = now_ns + settings.drain_every_ns;
  collector->Drain(sink);
  sampler.Sample(registry, now_ns);
  control->SendTaps();
  if (now_ns >= next_node_ns) {
    next_node_ns = now_ns + kNodeEveryNs;
    node = node_probe.Read(now_ns);
    gpus = gpu_watch.Read(now_ns);
    RememberValues(registry, now_ns);
  }
  if (now_ns >= next_housekeeping_ns) {
    next_housekeeping_ns = now_ns + kHousekeepingEveryNs;
    registry.Expire(now_ns);
    CompareWithCards(now_ns);
  }
}

void Agent::State::CompareWithCards(int64_t now_ns) {
  if (cards.empty()) {
    return;
  }
  for (const auto& [id, app] : registry.apps()) {
    const auto card = cards.find(app->identity.name);
    if (app->alive && card != cards.end()) {
      app->anomalies =
          CompareWithCard(*app, card->second, sampler.CpuPercentOf(id), now_ns);
    }
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
  return snapshot;
}

Agent::Agent(std::unique_ptr<State> state) : state_(std::move(state)) {}
Agent::~Agent() = default;

Result<std::unique_ptr<Agent>> Agent::Create(AgentSettings settings) {
  RaiseDescriptorLimit();
  auto state = std::make_unique<State>(std::move(settings));
  if (!state->settings.cards.empty()) {
    auto cards = ReadCards(state->settings.cards);
    if (!cards) {
      return cards.error();
    }
    state->cards = std::move(*cards);
  }
  auto uuid = NodeUuid(state->settings.home, state->settings.host_root);
  if (!uuid) {
    return uuid.error();
  }
  state->uuid = std::move(*uuid);
  state->machine = ReadMachine();
  if (Result<void> listening = state->Listen(); !listening) {
    return listening.error();
  }
  state->node = state->node_probe.Read(MonotonicNs());
  return std::unique_ptr<Agent>(new Agent(std::move(state)));
}

void Agent::Run(int stop_fd) {
  WaitSet waits;
  waits.Add(stop_fd, kStopBit);
  waits.Add(state_->collector->epoll_fd(), kRingsBit);
  waits.Add(state_->control->epoll_fd(), kControlBit);
  if (state_->waggle) {
    waits.Add(state_->waggle->epoll_fd(), kWaggleBit);
  }
  uint64_t ready = 0;
  while ((ready & kStopBit) == 0) {
    const int64_t before_ns = MonotonicNs();
    ready = waits.Wait(std::max<int64_t>(0, state_->next_drain_ns - before_ns));
    {
      const std::lock_guard lock(state_->mutex);
      state_->HandleReady(ready);
      state_->HandleClock(MonotonicNs());
    }
    const int64_t took_ns = MonotonicNs() - before_ns;
    if ((ready & (kRingsBit | kWaggleBit | kControlBit)) != 0 &&
        took_ns < kLeastBetweenWakesNs) {
      usleep(static_cast<useconds_t>((kLeastBetweenWakesNs - took_ns) / 1000));
    }
  }
  const std::lock_guard lock(state_->mutex);
  state_->collector->Finish(state_->sink);
  if (state_->waggle) {
    state_->waggle->Finish(state_->sink);
  }
}

AgentSnapshot Agent::Snapshot(Intervals intervals) const {
  const std::lock_guard lock(state_->mutex);
  return state_->Snapshot(intervals);
}

std::string Agent::RecentJson() const {
  const std::lock_guard lock(state_->mutex);
  return RecentValuesJson(state_->registry);
}

}  // namespace edgewise::live
