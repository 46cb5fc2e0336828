// Nodes of a cluster in the order of what a network will take on them.
#ifndef EDGEWISE_REPORT_NODE_RANKING_H_
#define EDGEWISE_REPORT_NODE_RANKING_H_

#include <string>
#include <vector>

#include "placement/forecast_nodes.h"
#include "report/table.h"

namespace edgewise {

std::string NodeRankingText(const Query& query,
                            const std::vector<NodeForecast>& ranking,
                            const TextStyle& style);
// With the manifest of the first node.
std::string NodeRankingJson(const Query& query,
                            const std::vector<NodeForecast>& ranking,
                            const std::string& manifest, bool applied);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_NODE_RANKING_H_
