#include "placement/rank_nodes.h"

#include <algorithm>
#include <limits>
#include <map>

#include "base/units.h"

namespace edgewise {
namespace {

std::string MemoryProblem(const cluster::NodeState& node, double need_bytes) {
  const auto& has = node.memory_available_bytes ? node.memory_available_bytes
                                                : node.memory_total_bytes;
  if (!has || *has >= need_bytes) {
    return "";
  }
  return "the model needs about " + FormatBytes(need_bytes) +
         " of memory, and " + FormatBytes(*has) +
         (node.memory_available_bytes ? " are free" : " is all it has");
}

// Equal for nodes that the same is predicted for when they are idle.
std::string HardwareKey(const cluster::NodeState& node,
                        const KnownDevice* device) {
  return device != nullptr ? device->name
                           : "?" + node.device_model + "?" + node.cpu_brand +
                                 "?" + std::to_string(node.cores.value_or(0));
}

bool ComesBefore(const RankedNode& a, const RankedNode& b) {
  if (a.why_not.empty() != b.why_not.empty()) {
    return a.why_not.empty();
  }
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const double a_ms = a.ms.value_or(kNever);
  const double b_ms = b.ms.value_or(kNever);
  return a_ms != b_ms ? a_ms < b_ms : a.node < b.node;
}

}  // namespace

PlacementCluster::PlacementCluster(
    std::shared_ptr<const cluster::ClusterState> state,
    const Hardware& hardware, const PlacementRules& rules)
    : state_(std::move(state)), hardware_(hardware) {
  std::map<std::string, size_t> first;
  for (size_t i = 0; i < state_->nodes.size(); ++i) {
    Node node = Prepare(state_->nodes[i], rules);
    node.same_as = first.emplace(HardwareKey(state_->nodes[i], node.device), i)
                       .first->second;
    nodes_.push_back(std::move(node));
  }
  // What load does to answers by the eight fields, found with some such fields.
  const Query any{"", Characteristics{}};
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (const auto idle = PredictIdle(any, i)) {
      nodes_[i].coarse_factors = FactorsFor(nodes_[i], *idle);
    }
  }
}

PlacementCluster::Node PlacementCluster::Prepare(
    const cluster::NodeState& state, const PlacementRules& rules) const {
  Node node;
  node.device = hardware_.Find(state.device_model);
  if (node.device == nullptr) {
    node.spec = SpecFromWords(state.cpu_brand + " " + state.device_model);
    node.spec.threads = state.cores.value_or(1);
  }
  node.busy_percent = state.cpu_busy_percent.value_or(0);
  if (state.age_s && *state.age_s > rules.stale_after_s) {
    node.why_not =
        "its metrics are " + FormatDuration(*state.age_s * 1e9) + " old";
  } else if (!state.cpu_busy_percent) {
    node.why_not =
        "its CPU load is not known: node exporter has no series of "
        "this instance";
  }
  return node;
}

std::optional<Prediction> PlacementCluster::PredictIdle(const Query& query,
                                                        size_t node) const {
  const Node& each = nodes_[node];
  return each.device != nullptr
             ? hardware_.Predict(query, *each.device)
             : hardware_.PredictUnknown(query, state_->nodes[node].device_model,
                                        each.spec);
}

LoadFactors PlacementCluster::FactorsFor(const Node& node,
                                         const Prediction& idle) const {
  return FactorsUnderLoad(hardware_.model(), idle, node.busy_percent);
}

std::vector<RankedNode> PlacementCluster::Rank(
    const Query& query, std::optional<double> memory_bytes) const {
  const bool coarse = std::holds_alternative<Characteristics>(query.features);
  std::vector<RankedNode> ranking(nodes_.size());
  std::vector<std::optional<Prediction>> idle(nodes_.size());
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (node.same_as == i) {
      idle[i] = PredictIdle(query, i);
    }
    RankedNode& ranked = ranking[i];
    ranked.node = i;
    ranked.why_not = node.why_not;
    if (ranked.why_not.empty() && memory_bytes) {
      ranked.why_not = MemoryProblem(state_->nodes[i], *memory_bytes);
    }
    const std::optional<Prediction>& base = idle[node.same_as];
    if (!base) {
      ranked.why_not = "the model says nothing about such hardware";
      continue;
    }
    const LoadFactors factors = coarse && node.coarse_factors
                                    ? *node.coarse_factors
                                    : FactorsFor(node, *base);
    ranked.ms = base->ms * factors.ms;
    if (factors.low && factors.high) {
      ranked.low_ms = base->ms * *factors.low;
      ranked.high_ms = base->ms * *factors.high;
    }
    ranked.threads = base->threads;
    ranked.basis = base->basis;
    ranked.out_of_distribution = base->out_of_distribution;
    ranked.load_assumed = factors.assumed && node.busy_percent > 0;
  }
  std::sort(ranking.begin(), ranking.end(), ComesBefore);
  return ranking;
}

}  // namespace edgewise
