#include <unistd.h>

#include <optional>
#include <utility>

#include "base/text.h"
#include "live/agent_state.h"
#include "live/anomaly.h"
#include "live/node_uuid.h"
#include "live/own_process.h"
#include "live/recent_values.h"
#include "live/top_text.h"
#include "probes/machine.h"
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
// Of each thread of an app that loses records with less.
constexpr uint32_t kMostRingBytes = uint32_t{1} << 20;

}  // namespace

std::string ControlSocketOf(const std::string& socket_path) {
  return socket_path + ".control";
}

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
  options.ring_bytes_granted = kMostRingBytes;
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
    if (loop) {
      AgentKnobs knobs(*collector, sink);
      loop->Step(registry.apps(), node, cards, knobs, now_ns);
    }
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
  if (state->settings.control) {
    auto loop = ControlLoop::Start(*state->settings.control);
    if (!loop) {
      return loop.error();
    }
    state->loop = std::move(*loop);
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
  if (state_->loop) {
    AgentKnobs knobs(*state_->collector, state_->sink);
    state_->loop->End(state_->registry.apps(), knobs);
  }
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
