// Sharing: replicas that share the cores of a server, with their parameters.
//
// Runnable replicas share the cores evenly, so a request takes as many times
// longer as there are others at work. How often another is at work depends in
// turn on how long its requests take; the fixed point of both is found. So a
// light tenant keeps its even share beside heavy ones that cannot keep up. On
// top of the stretched service comes the replica's own queue
// (orchestration/response_law.h).
#ifndef EDGEWISE_CONTENTION_SHARING_H_
#define EDGEWISE_CONTENTION_SHARING_H_

#include <optional>
#include <vector>

#include "contention/campaign.h"
#include "contention/processor_time.h"
#include "orchestration/response_law.h"

namespace edgewise::contention {

struct AppTraits {
  double service_ms = 0;   // alone, on a server of speed 1
  double spread = 0;       // standard deviation ÷ mean of it
  double share_taken = 1;  // 1: stretched as even sharing has it
  double cold = 0;         // longer by so much if others always ran in between
  std::vector<double> feels;      // by resource beside the CPU
  std::vector<double> intensity;  // at work, by resource; 1 is usual
  ProcessorTime cpu = {};         // of a request, as measured
};

struct Sharing {
  std::vector<AppTraits> apps;
  std::vector<double> speeds;  // by server; service times are divided by it
  double cores = 1;            // of every server
  double slice_ms = 0;         // short requests wait for others' time slices
  double uneven = 1;           // these three as in SharedService
  double wait = 1;
  double skew = 1;
  double quota_depth = 1;  // as in QuotaDemand
  // A tenant with a quota is a cgroup of its own, and feels so much of others.
  double own_group = 1;
  // Cores that a stressor at full dial keeps busy, by stressor.
  std::vector<double> stressor_share;
  // The resource that a stressor presses on beside the CPU; nullopt: none.
  std::vector<std::optional<size_t>> stressor_resource;
};

// How one replica of each tenant is served. Rates are those asked for: where
// they are more than can be served, FindResponse says so.
std::vector<orchestration::SharedService> ServeAll(
    const Sharing& sharing, const Deployment& deployment);

// The same with a rate that can be served, close to it where more was asked
// for: what measurements that end show.
orchestration::SharedService KeptUp(orchestration::SharedService service);

// mean, p75, p95, p99.
Figures FiguresOf(const orchestration::ResponseMoments& response);

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_SHARING_H_
