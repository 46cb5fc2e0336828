// Predictor: answers how long models take, on a device that the caller names or
// on the nodes of a cluster.
#ifndef EDGEWISE_SERVER_PREDICTOR_H_
#define EDGEWISE_SERVER_PREDICTOR_H_

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "cluster/cluster_watch.h"
#include "http/exposition.h"
#include "placement/hardware.h"
#include "placement/rank_nodes.h"
#include "server/answer_cache.h"
#include "server/cluster_view.h"
#include "server/flat_object.h"
#include "server/problem.h"
#include "server/profiling_request.h"

namespace edgewise {

struct PredictorSettings {
  PlacementRules rules;
  // How long the last known state of the cluster may be used when its
  // monitoring does not answer.
  double state_limit_s = 60;
};

// Thread-safe; never waits for the network.
class Predictor {
 public:
  // `watch`: null for stand-alone use.
  Predictor(LatencyModel model, std::unique_ptr<cluster::ClusterWatch> watch,
            const PredictorSettings& settings);

  // The bodies of answers, as JSON.
  OrProblem<std::string> Profile(const ProfilingRequest& request);
  // The answer to the same body a moment ago, for those about a cluster; null
  // if there is none.
  std::shared_ptr<const std::string> ProfiledBefore(const std::string& body);
  // To be handed out again.
  void KeepProfile(const std::string& body,
                   std::shared_ptr<const std::string> answer);
  OrProblem<std::string> PredictBatch(const FlatBatch& batch);
  std::string Devices() const;

  // A model by its layers: on the cluster's nodes, or on all known devices.
  OrProblem<std::string> PredictLayers(const Query& query, double memory_bytes);

  std::optional<std::string> WhyNotReady() const;
  void AddMetrics(http::Exposition& exposition) const;

 private:
  OrProblem<std::string> ProfileOnDevice(const ProfilingRequest& request);
  OrProblem<std::string> ProfileOnCluster(const ProfilingRequest& request);
  // The cluster as it is known now; the problem says why it is not.
  OrProblem<ClusterView> View();
  OrProblem<std::string> RankingFor(const Query& query, const FlatBatch& batch,
                                    size_t most);
  void Count(bool out_of_distribution);

  const LatencyModel model_;
  const Hardware hardware_;
  const PredictorSettings settings_;
  const std::unique_ptr<cluster::ClusterWatch> watch_;
  std::mutex mutex_;
  std::shared_ptr<const PreparedCluster> prepared_;  // of the latest state
  AnswerCache answers_;  // about clusters, by what was asked
  std::atomic<uint64_t> on_devices_{0};
  std::atomic<uint64_t> on_clusters_{0};
  std::atomic<uint64_t> in_batches_{0};
  std::atomic<uint64_t> far_off_{0};
};

}  // namespace edgewise

#endif  // EDGEWISE_SERVER_PREDICTOR_H_
