#include <utility>

#include "base/units.h"
#include "tenants/campaign.h"

namespace edgewise::tenants {
namespace {

Error Invalid(std::string message) {
  return {ErrorCode::kInvalid, std::move(message)};
}

}  // namespace

Result<void> CheckCampaign(const CampaignRequest& request) {
  if (request.tenants.empty()) {
    return Invalid("there are no tenants to measure");
  }
  if (request.mode == Kind::kPairwise && request.tenants.size() < 2) {
    return Invalid("pairwise needs at least two tenants");
  }
  for (const Tenant& tenant : request.tenants) {
    Deployment alone;
    alone.id = "check";
    alone.shares.push_back({tenant, 1, 1, std::nullopt});
    if (Result<void> checked =
            CheckDeployments({{request.server, alone}}, request.conditions);
        !checked) {
      return checked;
    }
  }
  const int64_t least_ns = request.conditions.warmup_ns +
                           request.conditions.measure_ns + 2 * kNsPerSecond;
  if (request.budget_ns < least_ns) {
    return Invalid("a budget of " +
                   FormatDuration(static_cast<double>(request.budget_ns)) +
                   " is too short for one deployment, which takes about " +
                   FormatDuration(static_cast<double>(least_ns)));
  }
  return {};
}

}  // namespace edgewise::tenants
