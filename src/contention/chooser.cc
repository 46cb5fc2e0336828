#include "contention/chooser.h"

#include <algorithm>

#include "contention/doubt.h"
#include "contention/read_campaign.h"

namespace edgewise::contention {
namespace {

constexpr int kFits = 6;

// nullopt: it has a tenant that the campaign does not know.
std::optional<Deployment> Seen(const tenants::Deployment& candidate,
                               const Campaign& campaign) {
  Deployment deployment;
  for (const tenants::Share& share : candidate.shares) {
    const auto app = std::find_if(
        campaign.apps.begin(), campaign.apps.end(),
        [&share](const App& a) { return a.name == share.tenant.name; });
    if (app == campaign.apps.end()) {
      return std::nullopt;
    }
    deployment.tenants.push_back(
        {static_cast<size_t>(app - campaign.apps.begin()), share.replicas,
         share.rate_per_s, share.quota_cores});
  }
  return deployment;
}

}  // namespace

tenants::Chooser LeastSureChooser(uint64_t seed) {
  return [seed](const std::vector<tenants::Deployment>& candidates,
                const std::vector<tenants::Measured>& so_far) {
    tenants::Choice choice;
    Campaign campaign;
    if (so_far.empty() || !AddRows(so_far, {}, "", &campaign)) {
      return choice;
    }
    std::vector<Deployment> seen;
    for (size_t i = 0; i < candidates.size(); ++i) {
      auto deployment = Seen(candidates[i], campaign);
      if (!deployment) {
        choice.candidate = i;
        return choice;
      }
      seen.push_back(std::move(*deployment));
    }
    const auto doubt = Doubt::Fit(campaign, kFits, seed);
    if (!doubt) {
      return choice;
    }
    if (const auto least = FindLeastSure(*doubt, seen)) {
      choice.candidate = least->candidate;
    }
    choice.error = ReachedError(campaign);
    return choice;
  };
}

}  // namespace edgewise::contention
