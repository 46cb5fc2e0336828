// Scheduler: on which nodes of a cluster a pod can stand so that all promises
// hold, and how well, for a Kubernetes scheduler that asks.
#ifndef EDGEWISE_SERVER_SCHEDULER_H_
#define EDGEWISE_SERVER_SCHEDULER_H_

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cluster/cluster_watch.h"
#include "orchestration/instance.h"
#include "orchestration/pressure_model.h"
#include "orchestration/problem.h"
#include "server/extender_args.h"

namespace edgewise {

// A request that stands on a node now.
struct RunningRequest {
  orchestration::Request request;
  std::string node;
};

// What a pod says of itself: edgewise/app, edgewise/rate and edgewise/promise,
// and perhaps edgewise/pay and edgewise/memory. nullopt without edgewise/app:
// not for us to judge. `separator` stands between "edgewise" and the rest.
Result<std::optional<orchestration::Request>> RequestOfPod(
    const std::string& pod, const std::map<std::string, std::string>& words,
    char separator = '/');

struct SchedulerSettings {
  std::vector<orchestration::Server> servers;
  orchestration::PressureFigures pressures;
  double confidence = 0.9;
  // How old the state of the cluster may be.
  double state_limit_s = 60;
  // How long a pod counts on the node that scored best before the monitoring
  // shows it.
  double reserved_s = 60;
};

// Thread-safe.
class Scheduler {
 public:
  // Of the two exactly one is set: `watch` reads pods, `placed` says what
  // stands where.
  using Placed = std::function<Result<std::vector<RunningRequest>>()>;
  Scheduler(SchedulerSettings settings,
            std::unique_ptr<cluster::ClusterWatch> watch, Placed placed);

  // By node, in the order of args.nodes. The error: nothing can be said now.
  // `chosen`: the pod will stand on the best of the nodes, so far as is known.
  Result<std::vector<NodeVerdict>> Judge(const ExtenderArgs& args, bool chosen);

  std::optional<std::string> WhyNotReady() const;

 private:
  struct Reservation {
    RunningRequest running;
    std::chrono::steady_clock::time_point until;
  };
  struct Running {
    std::vector<RunningRequest> requests;
    // By node: of which pod nothing can be said.
    std::map<std::string, std::string> unreadable;
  };
  Result<Running> ReadRunning() const;
  Result<orchestration::Problem> ProblemOf(
      const orchestration::Instance& instance);
  void AddReserved(const std::string& pod, Running& running);
  void Reserve(const ExtenderArgs& args, const orchestration::Request& request,
               const std::vector<NodeVerdict>& verdicts);

  const SchedulerSettings settings_;
  const orchestration::PressureModel predictor_;
  const std::unique_ptr<cluster::ClusterWatch> watch_;
  const Placed placed_;
  std::mutex mutex_;
  std::map<std::string, Reservation> reserved_;  // by pod
  orchestration::ToleranceMemo memo_;
};

}  // namespace edgewise

#endif  // EDGEWISE_SERVER_SCHEDULER_H_
