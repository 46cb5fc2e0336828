// What a machine takes for a few well-known networks: the sample app `dl` runs
// each for some seconds.
#ifndef EDGEWISE_EXPERIMENTS_REFERENCE_NETWORKS_H_
#define EDGEWISE_EXPERIMENTS_REFERENCE_NETWORKS_H_

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/machine.h"
#include "base/result.h"
#include "experiments/measure_model.h"

namespace edgewise {

struct ReferenceRequest {
  std::filesystem::path home;
  std::string program;  // edgewise itself
  std::string dl;       // the sample app
  int threads = 1;
};

struct ReferenceReport {
  Machine machine;
  // The least time of an inference by network, as models of latencies call it.
  std::map<std::string, double> min_ms;
  std::vector<std::string> failures;  // "squeezenet_int8: why"
  bool cancelled = false;
};

// Takes about half a minute. Refuses if the app cannot run the first network.
// No Store may be open in this process meanwhile.
Result<ReferenceReport> MeasureReferenceNetworks(
    const ReferenceRequest& request, const MeasureModelListener& progress);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_REFERENCE_NETWORKS_H_
