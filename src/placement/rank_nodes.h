// Which node of a cluster runs a model fastest, now.
#ifndef EDGEWISE_PLACEMENT_RANK_NODES_H_
#define EDGEWISE_PLACEMENT_RANK_NODES_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cluster/node_state.h"
#include "placement/hardware.h"

namespace edgewise {

struct PlacementRules {
  // A node whose figures are older is not placed on.
  double stale_after_s = 120;
};

// A model's time on one node.
struct RankedNode {
  size_t node = 0;           // index into the cluster's nodes
  std::optional<double> ms;  // nullopt: cannot be predicted
  std::optional<double> low_ms;
  std::optional<double> high_ms;
  int threads = 1;
  Basis basis = Basis::kCoarse;
  bool out_of_distribution = false;
  bool load_assumed = false;
  // Why the model cannot be placed there; empty if it can.
  std::string why_not;
};

// A cluster made ready for questions. Immutable; may be used from several
// threads.
class PlacementCluster {
 public:
  // `hardware` must outlive this.
  PlacementCluster(std::shared_ptr<const cluster::ClusterState> state,
                   const Hardware& hardware, const PlacementRules& rules);

  const cluster::ClusterState& state() const { return *state_; }
  // Those that can be placed on come first, the fastest first of all.
  // `memory_bytes`: what the model needs; nullopt: not known.
  std::vector<RankedNode> Rank(const Query& query,
                               std::optional<double> memory_bytes) const;

 private:
  struct Node {
    const KnownDevice* device = nullptr;  // null: unknown
    size_t same_as = 0;                   // the first node with the same device
    DeviceSpec spec;                      // of an unknown device
    std::string why_not;
    double busy_percent = 0;
    // By the eight fields the setting is always the same, and so are these.
    std::optional<LoadFactors> coarse_factors;
  };
  Node Prepare(const cluster::NodeState& state,
               const PlacementRules& rules) const;
  std::optional<Prediction> PredictIdle(const Query& query, size_t node) const;
  LoadFactors FactorsFor(const Node& node, const Prediction& idle) const;

  std::shared_ptr<const cluster::ClusterState> state_;
  const Hardware& hardware_;
  std::vector<Node> nodes_;
};

}  // namespace edgewise

#endif  // EDGEWISE_PLACEMENT_RANK_NODES_H_
