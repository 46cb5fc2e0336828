// What is known of a cluster's nodes now, from its monitoring.
//
// The room `cluster` knows how to ask Prometheus about nodes and how its
// answers go together. It must not know what the nodes are wanted for.
#ifndef EDGEWISE_CLUSTER_NODE_STATE_H_
#define EDGEWISE_CLUSTER_NODE_STATE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace edgewise::cluster {

// nullopt and "": not known.
struct NodeState {
  std::string name;
  std::string uuid;
  std::string device_class;  // "Computer", "VM"
  std::string device_model;  // as the board calls itself
  std::string cpu_brand;
  std::string architecture;
  std::optional<int> cores;
  std::optional<double> memory_total_bytes;
  std::optional<double> memory_available_bytes;
  std::optional<double> cpu_busy_percent;   // of all cores
  std::optional<double> disk_used_percent;  // of /
  // How old the oldest of these figures was when they were asked for.
  std::optional<double> age_s;
};

// A pod that is bound to a node.
struct PodState {
  std::string name;  // "default/camera-7d9"
  std::string node;
  std::map<std::string, std::string> annotations;
};

// All nodes at one time, by name.
struct ClusterState {
  std::vector<NodeState> nodes;
  std::vector<PodState> pods;  // only where they were asked for
  int64_t taken_ns = 0;        // CLOCK_MONOTONIC
  uint64_t generation = 0;
};

}  // namespace edgewise::cluster

#endif  // EDGEWISE_CLUSTER_NODE_STATE_H_
