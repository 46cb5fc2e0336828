// Sharing: the pressure model's idea of a server, with its parameters.
//
// Runnable replicas share the cores evenly, so a request takes as many times
// longer as there are others at work. With others that keep the share P of the
// server busy this is 1 + P ÷ (1 - P) on one core, less on several. P is the
// pressure: requests a second times core seconds of each, summed over all
// other replicas, more where both sides need much of a cache or of the memory
// bus. On top of the stretched service comes the replica's own queue
// (orchestration/response_law.h).
#ifndef EDGEWISE_CONTENTION_SHARING_H_
#define EDGEWISE_CONTENTION_SHARING_H_

#include <optional>
#include <vector>

#include "contention/campaign.h"
#include "orchestration/response_law.h"

namespace edgewise::contention {

struct AppTraits {
  double service_ms = 0;          // alone, on a server of speed 1
  double spread = 0;              // standard deviation ÷ mean of it
  double demand_s = 0;            // core seconds of a request
  double share_taken = 1;         // 1: stretched as even sharing has it
  std::vector<double> feels;      // by resource beside the CPU
  std::vector<double> intensity;  // of its demand, by resource; 1 is usual
};

struct Sharing {
  std::vector<AppTraits> apps;
  std::vector<double> speeds;  // by server; service times are divided by it
  double cores = 1;            // of every server
  double slice_ms = 0;         // short requests wait for others' time slices
  double steepness = 1;        // 1: service is stretched as by a queue
  double uneven = 1;
  double wait = 1;
  double skew = 1;
  // Cores that a stressor at full dial keeps busy, by stressor.
  std::vector<double> stressor_share;
  // The resource that a stressor presses on beside the CPU; nullopt: none.
  std::vector<std::optional<size_t>> stressor_resource;
};

// By how much a pressure below 1 stretches service on so many cores, where
// sharing is even: 1 at 0, rising, without end towards 1.
double EvenStretch(double pressure, double cores, double steepness);

// By how much a pressure below 1 stretches service of the app.
double StretchOf(const Sharing& sharing, size_t app, double pressure);

// What one replica of the tenant feels of all others; see above.
double FeltPressure(const Sharing& sharing, const Deployment& deployment,
                    size_t tenant);

// How one replica of the tenant is served. Finite, as measurements that end
// are: pressure and rate beyond what can be served are brought close to it.
orchestration::SharedService Serve(const Sharing& sharing,
                                   const Deployment& deployment, size_t tenant);

// mean, p75, p95, p99.
Figures FiguresOf(const orchestration::ResponseMoments& response);

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_SHARING_H_
