// Chooses the node of a cluster that will run a network fastest.
#ifndef EDGEWISE_PREDICTION_PLACE_H_
#define EDGEWISE_PREDICTION_PLACE_H_

#include <optional>
#include <string>
#include <vector>

#include "prediction/cluster_nodes.h"
#include "prediction/predict.h"

namespace edgewise {

struct NodeForecast {
  std::string node;
  std::optional<Prediction> prediction;
  std::string why_not;  // there is no prediction because …
};

// The fastest first; nodes without a prediction last. A node whose device the
// model does not know is predicted by its spec, never as another device.
std::vector<NodeForecast> RankNodes(const LatencyModel& model,
                                    const Query& query,
                                    const std::vector<ClusterNode>& nodes);

}  // namespace edgewise

#endif  // EDGEWISE_PREDICTION_PLACE_H_
