// Who says which deployment to measure next.
#ifndef EDGEWISE_TENANTS_CHOOSE_H_
#define EDGEWISE_TENANTS_CHOOSE_H_

#include <functional>
#include <optional>
#include <vector>

#include "tenants/deployment.h"
#include "tenants/measurements.h"

namespace edgewise::tenants {

struct Choice {
  size_t candidate = 0;
  // How far predictions of p95 are off at the median, as a share, on
  // deployments that they were not made from; nullopt: too few were measured.
  std::optional<double> error;
};

// Told candidates (at least one) and all that was measured so far.
using Chooser = std::function<Choice(const std::vector<Deployment>& candidates,
                                     const std::vector<Measured>& so_far)>;

}  // namespace edgewise::tenants

#endif  // EDGEWISE_TENANTS_CHOOSE_H_
