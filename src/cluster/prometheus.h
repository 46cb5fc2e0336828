// Prometheus: the monitoring of a cluster, asked over its query API.
#ifndef EDGEWISE_CLUSTER_PROMETHEUS_H_
#define EDGEWISE_CLUSTER_PROMETHEUS_H_

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "cluster/node_state.h"
#include "cluster/prometheus_answer.h"
#include "fetch/client.h"

namespace edgewise::cluster {

struct PrometheusSettings {
  std::string url;  // "http://10.0.0.5:9090"
  fetch::Credentials credentials;
  std::string ca_file;
  std::chrono::milliseconds limit{4'000};  // for each question
  // Over which CPU use is averaged; at least two scrapes.
  std::string window = "1m";
};

// "10.0.0.5:9090", "prometheus", or a whole URL; as PROMETHEUS_IP and
// --prometheus give it. The error says what to write.
Result<std::string> PrometheusUrl(const std::string& text);

// Not thread-safe.
class Prometheus {
 public:
  static Result<Prometheus> Open(PrometheusSettings settings);

  // The error says which server does not answer, and why.
  Result<std::vector<Sample>> Query(const std::string& expression);
  // All nodes; taken_ns is set. No node is not an error.
  Result<ClusterState> ReadCluster();
  // Pods that have the annotation (see PodsQuery), with no nodes. The error
  // also says so where nothing is known of any pod.
  Result<ClusterState> ReadPods(const std::string& annotation);

 private:
  Prometheus(PrometheusSettings settings, std::unique_ptr<fetch::Client> client)
      : settings_(std::move(settings)), client_(std::move(client)) {}

  PrometheusSettings settings_;
  std::unique_ptr<fetch::Client> client_;
};

}  // namespace edgewise::cluster

#endif  // EDGEWISE_CLUSTER_PROMETHEUS_H_
