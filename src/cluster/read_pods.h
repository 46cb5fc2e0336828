// Pods that run on nodes, with their annotations, from the series of
// kube-state-metrics.
#ifndef EDGEWISE_CLUSTER_READ_PODS_H_
#define EDGEWISE_CLUSTER_READ_PODS_H_

#include <string>
#include <vector>

#include "cluster/node_state.h"
#include "cluster/prometheus_answer.h"

namespace edgewise::cluster {

// Asks for all pods with the annotation that are bound to a node and have not
// ended. Annotations are named as kube-state-metrics does: "edgewise/app" is
// "edgewise_app".
std::string PodsQuery(const std::string& annotation);
// Is above zero where kube-state-metrics is scraped at all.
inline constexpr char kAnyPodsQuery[] = "count(kube_pod_info)";

// Sorted by name; of several series of one pod the first counts.
std::vector<PodState> PodsFrom(const std::vector<Sample>& samples);

}  // namespace edgewise::cluster

#endif  // EDGEWISE_CLUSTER_READ_PODS_H_
