// Doubt: how sure the pressure model is of a deployment that nobody measured.
//
// The model is fitted again to rows drawn anew; where these fits disagree, a
// measurement would teach most.
#ifndef EDGEWISE_CONTENTION_DOUBT_H_
#define EDGEWISE_CONTENTION_DOUBT_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "contention/campaign.h"
#include "contention/sharing.h"

namespace edgewise::contention {

class Doubt {
 public:
  // kInvalid: as FitSharing.
  static Result<Doubt> Fit(const Campaign& campaign, int fits, uint64_t seed);

  // The standard deviation of the fits' log p95, of the tenant that is least
  // sure. Near 0: all agree.
  double Of(const Deployment& deployment) const;

 private:
  std::vector<Sharing> fits_;
};

// The candidate that Doubt is greatest of, and so much.
struct LeastSure {
  size_t candidate = 0;
  double doubt = 0;
};
// nullopt without candidates.
std::optional<LeastSure> FindLeastSure(
    const Doubt& doubt, const std::vector<Deployment>& candidates);

// The median error of p95 of deployments held out: what a campaign has reached
// so far. nullopt: too few random deployments.
std::optional<double> ReachedError(const Campaign& campaign);

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_DOUBT_H_
