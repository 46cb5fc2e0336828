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

  // How often the same tenants stood beside the same stressor; rates may
  // differ, because they follow what was measured of service times.
  int TimesMeasured(const Deployment& deployment) const;
  void Add(const Deployment& deployment);
  // "r0013" after "r0012".
  std::string NewId(Kind kind);

  // Random ones, repeats included.
  size_t random_count() const { return random_count_; }
  // The next one to be measured again: every tenth random one, `repeat` times
  // in all, a while after it was measured first.
  std::optional<Deployment> ToRepeat(int repeat) const;

 private:
  Deployment FromRows(const std::vector<const Measured*>& rows) const;
  const Tenant* TenantOf(const std::string& name) const;

  std::vector<Tenant> tenants_;
  std::map<std::string, int> points_;
  std::map<std::string, int64_t> last_;  // number of an id, by its letter
  size_t random_count_ = 0;
  std::vector<Deployment> firsts_;      // random ones that repeat none
  std::map<std::string, int> repeats_;  // of those
};

}  // namespace edgewise::tenants

#endif  // EDGEWISE_TENANTS_CAMPAIGN_HISTORY_H_
