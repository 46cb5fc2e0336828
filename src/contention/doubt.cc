#include "contention/doubt.h"

#include <algorithm>
#include <cmath>

#include "contention/evaluate.h"
#include "contention/fit_sharing.h"
#include "stats/moments.h"
#include "stats/random.h"

namespace edgewise::contention {

Result<Doubt> Doubt::Fit(const Campaign& campaign, int fits, uint64_t seed) {
  const Selection all = Everything(campaign);
  const auto first = FitSharing(campaign, all);
  if (!first) {
    return first.error();
  }
  stats::Random random(seed);
  Doubt doubt;
  for (int i = 0; i < fits; ++i) {
    Selection drawn(all.size());
    for (size_t& row : drawn) {
      row = random.Below(all.size());
    }
    doubt.fits_.push_back(RefitSharing(campaign, drawn, *first));
  }
  return doubt;
}

double Doubt::Of(const Deployment& deployment) const {
  std::vector<stats::Moments> logs(deployment.tenants.size());
  for (const Sharing& sharing : fits_) {
    const auto served = ServeAll(sharing, deployment);
    for (size_t t = 0; t < served.size(); ++t) {
      const auto response = orchestration::FindResponse(KeptUp(served[t]));
      if (response) {
        logs[t].Add(std::log(FiguresOf(*response)[kP95]));
      }
    }
  }
  double most = 0;
  for (const stats::Moments& of_tenant : logs) {
    most = std::max(most, of_tenant.stddev().value_or(0));
  }
  return most;
}

std::optional<LeastSure> FindLeastSure(
    const Doubt& doubt, const std::vector<Deployment>& candidates) {
  std::optional<LeastSure> least;
  for (size_t i = 0; i < candidates.size(); ++i) {
    const double of = doubt.Of(candidates[i]);
    if (!least || of > least->doubt) {
      least = {i, of};
    }
  }
  return least;
}

std::optional<double> ReachedError(const Campaign& campaign) {
  EvaluateSettings settings;
  settings.folds = 5;
  const auto errors = EvaluatePressure(campaign, settings);
  return errors && errors->figures[kP95].median_ape
             ? std::optional(errors->figures[kP95].median_ape->value)
             : std::nullopt;
}

}  // namespace edgewise::contention
