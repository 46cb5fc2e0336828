// What a campaign measured before, as deployments.
#ifndef EDGEWISE_TENANTS_CAMPAIGN_HISTORY_H_
#define EDGEWISE_TENANTS_CAMPAIGN_HISTORY_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tenants/deployment.h"
#include "tenants/measurements.h"

namespace edgewise::tenants {

class CampaignHistory {
 public:
  // `tenants` are those of the campaign that goes on; rows may name others.
  CampaignHistory(const std::vector<Measured>& rows,
                  const std::vector<Tenant>& tenants);

  // What was measured of the same before.
  struct Before {
    int times = 0;
    std::optional<Deployment> first;  // with its rates, to be repeated
  };
  // The same tenants beside the same stressor; rates may differ, because they
  // follow what was measured of service times.
  Before SameAs(const Deployment& deployment) const;
  // Of the baselines of a tenant, those that are nearer to `plan[which]` than
  // to others of the plan.
  Before BaselinesLike(const std::vector<Deployment>& plan, size_t which) const;

  void Add(const Deployment& deployment);
  // One that could not be measured: its id is used up.
  void AddFailed(const std::string& id, const std::string& repeat_of);
  // "r0013" after "r0012".
  std::string NewId(Kind kind);

  // Random ones, repeats included.
  size_t random_count() const { return random_count_; }
  // Random ones that could not be measured.
  size_t random_failures() const { return random_failures_; }
  // The next one to be measured again: every tenth random one, `repeat` times
  // in all, a while after it was measured first.
  std::optional<Deployment> ToRepeat(int repeat) const;

 private:
  Deployment FromRows(const std::vector<const Measured*>& rows) const;
  const Tenant* TenantOf(const std::string& name) const;

  void UseUp(const std::string& id);

  std::vector<Tenant> tenants_;
  std::vector<Deployment> planned_;      // all but random ones
  std::map<std::string, int64_t> last_;  // number of an id, by its letter
  size_t random_count_ = 0;
  size_t random_failures_ = 0;
  std::vector<Deployment> firsts_;      // random ones that repeat none
  std::map<std::string, int> repeats_;  // of those
};

}  // namespace edgewise::tenants

#endif  // EDGEWISE_TENANTS_CAMPAIGN_HISTORY_H_
