// ContentionPredictor: the response times of tenants that share a server.
#ifndef EDGEWISE_CONTENTION_PREDICTOR_H_
#define EDGEWISE_CONTENTION_PREDICTOR_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "contention/campaign.h"

namespace edgewise::contention {

// Observations of a campaign, by index.
using Selection = std::vector<size_t>;

// Fitted; immutable.
class ContentionPredictor {
 public:
  virtual ~ContentionPredictor() = default;
  virtual std::string Name() const = 0;
  // Somebody else's, to compare with.
  virtual bool Published() const { return false; }
  // One a tenant of the deployment; quantiles do not cross. nullopt: answers
  // never come, or the app is not known.
  virtual std::vector<std::optional<Figures>> Predict(
      const Deployment& deployment) const = 0;
};

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_PREDICTOR_H_
