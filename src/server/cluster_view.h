// The nodes of a cluster as answers show them.
#ifndef EDGEWISE_SERVER_CLUSTER_VIEW_H_
#define EDGEWISE_SERVER_CLUSTER_VIEW_H_

#include <memory>
#include <string>
#include <vector>

#include "placement/rank_nodes.h"

namespace edgewise {

// One state of the cluster, with what all answers say of its nodes written
// beforehand.
struct PreparedCluster {
  PreparedCluster(std::shared_ptr<const cluster::ClusterState> state,
                  const Hardware& hardware, const PlacementRules& rules);

  PlacementCluster placement;
  // By node: "class":…,"device_model":…,"node":…,"node_uuid":…
  std::vector<std::string> members;
  // Likewise in rankings, without what does not help to choose:
  // "node":…,"device_model":…
  std::vector<std::string> ranked_members;
};

struct ClusterView {
  std::shared_ptr<const PreparedCluster> cluster;
  double age_s = 0;
  std::string warning;  // empty: the state is fresh
};

// A number of seconds with a decimal point, as callers of old expect it.
std::string SecondsJson(double ms);
// [low, high] in seconds; null where the model has no interval.
std::string IntervalJson(std::optional<double> low_ms,
                         std::optional<double> high_ms);

// All ranked nodes as a JSON array.
std::string RankingJson(const ClusterView& view,
                        const std::vector<RankedNode>& ranking);
// "profiling_prediction" for the first of a ranking, which must be placeable.
std::string PlacementJson(const ClusterView& view,
                          const std::vector<RankedNode>& ranking,
                          const std::string& model);
// Why nothing could be placed: the first few nodes' reasons.
std::string WhyNoneFits(const ClusterView& view,
                        const std::vector<RankedNode>& ranking);

}  // namespace edgewise

#endif  // EDGEWISE_SERVER_CLUSTER_VIEW_H_
