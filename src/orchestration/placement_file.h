// Placements as files (docs/formats/placement.md) and as Kubernetes manifests.
#ifndef EDGEWISE_ORCHESTRATION_PLACEMENT_FILE_H_
#define EDGEWISE_ORCHESTRATION_PLACEMENT_FILE_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "orchestration/optimise.h"

namespace edgewise::orchestration {

std::string WritePlacement(const Problem& problem,
                           const OptimiseAnswer& answer);

// Where the instance's requests stand by a placement. Requests and servers that
// the instance does not have are left out.
Result<Assignment> ReadPlacement(std::string_view yaml,
                                 const std::string& origin,
                                 const Instance& instance);

// What a replica of an app needs by a measurement of it; nullopt: not known.
struct AppNeeds {
  std::optional<double> cpu_cores;
  std::optional<int64_t> memory_bytes;
  std::optional<double> most_cpu_cores;  // limits
  std::optional<int64_t> most_memory_bytes;
};

// Whether a Deployment could be made of every request: it needs an image and a
// name of its own. The error names the first that has none.
Result<void> CheckManifests(const Instance& instance);

// A Deployment for each placed request, bound to its server, with what it needs
// of memory and CPU: by `needs` of its app, else as it was placed. Refuses
// what CheckManifests does among them.
Result<std::string> Manifests(const Problem& problem,
                              const Assignment& assignment,
                              const std::map<std::string, AppNeeds>& needs);

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_PLACEMENT_FILE_H_
