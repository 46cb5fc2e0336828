#include "cluster/read_pods.h"

#include <algorithm>

namespace edgewise::cluster {
namespace {

constexpr std::string_view kAnnotation = "annotation_";

}  // namespace

// Both sides are made unique first: a scraper that restarts leaves the same pod
// behind under two instances for some minutes.
std::string PodsQuery(const std::string& annotation) {
  return "max without (instance, job, container, endpoint, service, "
         "prometheus) (kube_pod_annotations{annotation_" +
         annotation +
         "!=\"\"}) * on (namespace, pod, uid) group_left (node) max by "
         "(namespace, pod, uid, node) (kube_pod_info{node!=\"\"}) and on "
         "(namespace, pod, uid) "
         "(kube_pod_status_phase{phase=~\"Pending|Running\"} == 1)";
}

std::vector<PodState> PodsFrom(const std::vector<Sample>& samples) {
  std::vector<PodState> pods;
  for (const Sample& sample : samples) {
    PodState pod;
    pod.name = sample.Label("namespace") + "/" + sample.Label("pod");
    pod.node = sample.Label("node");
    for (const auto& [label, value] : sample.labels) {
      if (label.starts_with(kAnnotation)) {
        pod.annotations[label.substr(kAnnotation.size())] = value;
      }
    }
    if (!pod.node.empty()) {
      pods.push_back(std::move(pod));
    }
  }
  std::stable_sort(
      pods.begin(), pods.end(),
      [](const PodState& a, const PodState& b) { return a.name < b.name; });
  pods.erase(std::unique(pods.begin(), pods.end(),
                         [](const PodState& a, const PodState& b) {
                           return a.name == b.name;
                         }),
             pods.end());
  return pods;
}

}  // namespace edgewise::cluster
