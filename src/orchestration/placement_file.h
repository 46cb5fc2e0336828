// Placements as files (docs/formats/placement.md) and as Kubernetes manifests.
#ifndef EDGEWISE_ORCHESTRATION_PLACEMENT_FILE_H_
#define EDGEWISE_ORCHESTRATION_PLACEMENT_FILE_H_

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

// A Deployment for each placed request, bound to its server, with what it needs
// of memory and CPU. Refuses requests without an image, naming the first.
Result<std::string> Manifests(const Problem& problem,
                              const Assignment& assignment);

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_PLACEMENT_FILE_H_
