// What a campaign measures next, given what it measured before.
#ifndef EDGEWISE_TENANTS_NEXT_DEPLOYMENT_H_
#define EDGEWISE_TENANTS_NEXT_DEPLOYMENT_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tenants/campaign.h"
#include "tenants/campaign_history.h"
#include "tenants/draw.h"

namespace edgewise::tenants {

// All that it is given must outlive it, and is looked at anew each time.
class NextDeployment {
 public:
  NextDeployment(const CampaignRequest& request,
                 const std::vector<Measured>& rows,
                 const CampaignHistory& history);

  // The light (0) or the heavier (1) baseline of a tenant; nullopt: there are
  // enough. `all`: as many as the request repeats; else one of each, whatever
  // their rates.
  std::optional<Deployment> Baseline(const Tenant& tenant, size_t which,
                                     bool all) const;
  // All of pairwise or sensitivity.
  std::vector<Deployment> Plan() const;
  // That one, or a repeat of the first of its kind; nullopt: it was measured
  // so often.
  std::optional<Deployment> UpTo(const Deployment& deployment,
                                 int wanted) const;
  // Every tenth one again; of the others, each second where least is known.
  Deployment Random();
  // A warning if too few requests come to some tenants; as far as their times
  // are known.
  std::optional<std::string> TooShort() const;
  // Of predictions, when Random was last called.
  std::optional<double> error() const { return error_; }

 private:
  ServiceTimes Times() const;

  const CampaignRequest& request_;
  const std::vector<Measured>& rows_;
  const CampaignHistory& history_;
  DrawSettings draw_;
  std::optional<double> error_;
};

}  // namespace edgewise::tenants

#endif  // EDGEWISE_TENANTS_NEXT_DEPLOYMENT_H_
