#include "impair/path.h"

#include <utility>
#include <vector>

#include "base/nearest.h"
#include "impair/netem.h"

namespace edgewise {
namespace {

// What netem cannot do, and the proxy in front of it must.
Impairment OnlyDisconnects(const Impairment& impairment) {
  Impairment rest;
  rest.disconnect_every_ns = impairment.disconnect_every_ns;
  rest.disconnect_for_ns = impairment.disconnect_for_ns;
  return rest;
}

std::string Describe(const Impairment& impairment, ImpairMeans means,
                     const std::string& why_not_netem) {
  if (means == ImpairMeans::kNetem) {
    return "netem of the kernel, in a network namespace of its own: packets "
           "are really delayed and lost";
  }
  std::string text = "a TCP proxy in user space";
  if (!why_not_netem.empty()) {
    text += ", because " + why_not_netem;
  }
  if (impairment.loss > 0) {
    text +=
        "; loss is modelled as the delay of a retransmission, because TCP "
        "hides it";
  }
  return text;
}

}  // namespace

std::string_view ImpairMeansName(ImpairMeans means) {
  return means == ImpairMeans::kNetem ? "netem" : "proxy";
}

Result<ImpairMeans> ParseImpairMeans(std::string_view text) {
  for (const ImpairMeans means : {ImpairMeans::kProxy, ImpairMeans::kNetem}) {
    if (text == ImpairMeansName(means)) {
      return means;
    }
  }
  const auto meant = Nearest(text, {"proxy", "netem"});
  return Error{
      ErrorCode::kInvalid,
      "there are no means \"" + std::string(text) + "\": " +
          (meant ? "did you mean " + *meant + "?" : "choose proxy or netem")};
}

struct ImpairedPath::State {
  ImpairMeans means = ImpairMeans::kProxy;
  std::string description;
  // With netem clients come to `front`, which leads through the namespace to
  // `back`, which leads upstream.
  std::optional<NetemNamespace> inside;
  std::optional<Proxy> back;
  std::optional<Proxy> front;
};

ImpairedPath::ImpairedPath(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
ImpairedPath::ImpairedPath(ImpairedPath&&) noexcept = default;
ImpairedPath& ImpairedPath::operator=(ImpairedPath&&) noexcept = default;
ImpairedPath::~ImpairedPath() = default;

Result<ImpairedPath> ImpairedPath::Open(const PathSettings& settings) {
  auto state = std::make_unique<State>();
  const Impairment& impairment = settings.proxy.impairment;
  const Impairment rest = OnlyDisconnects(impairment);
  std::string why_not;
  if (settings.means.value_or(ImpairMeans::kNetem) == ImpairMeans::kNetem &&
      (settings.means || impairment != rest)) {
    auto inside = NetemNamespace::Make(impairment);
    if (inside) {
      state->inside = std::move(*inside);
    } else if (settings.means) {
      return inside.error();
    } else {
      why_not = inside.error().message;
    }
  }
  ProxySettings front = settings.proxy;
  if (state->inside) {
    state->means = ImpairMeans::kNetem;
    ProxySettings back = settings.proxy;
    back.impairment = Impairment();
    back.listen_host = "127.0.0.1";
    back.listen_port = 0;
    back.listen_namespace_fd = state->inside->fd();
    auto started = Proxy::Start(back);
    if (!started) {
      return started.error();
    }
    state->back = std::move(*started);
    front.impairment = rest;
    front.upstream_host = state->back->host();
    front.upstream_port = state->back->port();
    front.upstream_namespace_fd = state->inside->fd();
  }
  auto started = Proxy::Start(front);
  if (!started) {
    return started.error();
  }
  state->front = std::move(*started);
  state->description = Describe(impairment, state->means, why_not);
  return ImpairedPath(std::move(state));
}

const std::string& ImpairedPath::host() const { return state_->front->host(); }
int ImpairedPath::port() const { return state_->front->port(); }
ImpairMeans ImpairedPath::means() const { return state_->means; }
const std::string& ImpairedPath::description() const {
  return state_->description;
}

ProxyCounts ImpairedPath::Counts() const {
  ProxyCounts counts = state_->front->Counts();
  if (!state_->back) {
    return counts;
  }
  // Only the back knows whether anybody is there; to it all were connections.
  const ProxyCounts back = state_->back->Counts();
  counts.connections = back.connections;
  counts.upstream_failures += back.upstream_failures;
  if (!back.last_upstream_error.empty()) {
    counts.last_upstream_error = back.last_upstream_error;
  }
  counts.added_delay_ns = stats::Sketch();
  if (const auto queue = state_->inside->Counts()) {
    counts.segments = queue->packets + queue->dropped;
    counts.lost_segments = queue->dropped;
  }
  return counts;
}

void ImpairedPath::Stop() {
  state_->front->Stop();
  if (state_->back) {
    state_->back->Stop();
  }
}

}  // namespace edgewise
