// Nodes from the series of a characterisation agent (char_node_*) and of node
// exporter, joined by label.
#ifndef EDGEWISE_CLUSTER_READ_NODES_H_
#define EDGEWISE_CLUSTER_READ_NODES_H_

#include <array>
#include <string>
#include <vector>

#include "cluster/node_state.h"
#include "cluster/prometheus_answer.h"

namespace edgewise::cluster {

// What is asked of Prometheus.
enum class Series {
  kDevice,
  kDeviceTime,
  kMemoryTotal,
  kCores,
  kCpuBusy,
  kLoadTime,
  kMemoryAvailable,
  kDiskUsed,
  kHostNames,
};
inline constexpr size_t kSeries = 9;

// The expression that asks for it. `window` is the time over which CPU use is
// averaged, as Prometheus writes it ("1m"): at least two scrapes.
std::string QueryFor(Series series, const std::string& window);

using Answers = std::array<std::vector<Sample>, kSeries>;

// A node is what a characterisation agent names. Series of node exporter are
// its if their `instance` is its name, with or without a port, or if the host
// calls itself so (node_uname_info). Sorted by name.
std::vector<NodeState> NodesFrom(const Answers& answers);

}  // namespace edgewise::cluster

#endif  // EDGEWISE_CLUSTER_READ_NODES_H_
