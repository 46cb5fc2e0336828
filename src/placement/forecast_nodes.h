// How long a network will take on each node of a cluster, the fastest first.
#ifndef EDGEWISE_PLACEMENT_FORECAST_NODES_H_
#define EDGEWISE_PLACEMENT_FORECAST_NODES_H_

#include <optional>
#include <string>
#include <vector>

#include "placement/listed_nodes.h"
#include "placement/rank_nodes.h"
#include "prediction/predict.h"

namespace edgewise {

struct NodeForecast {
  std::string node;
  std::optional<Prediction> prediction;
  std::string why_not;  // there is no prediction because …
};

// The fastest first; nodes without a prediction last. A node whose device the
// model does not know is predicted by its spec, never as another device.
std::vector<NodeForecast> ForecastNodes(const LatencyModel& model,
                                        const Query& query,
                                        const std::vector<ListedNode>& nodes);
// The same for nodes as they are watched, with their load and free memory; one
// that cannot take the model now has no prediction.
std::vector<NodeForecast> ForecastNodes(const PlacementCluster& watched,
                                        const Query& query,
                                        std::optional<double> memory_bytes);

}  // namespace edgewise

#endif  // EDGEWISE_PLACEMENT_FORECAST_NODES_H_
