#include "tenants/survival.h"

#include <algorithm>

namespace edgewise::tenants {

SurvivalCurve::SurvivalCurve(std::vector<Duration> durations) {
  // At the same time, what is over comes before what was last seen then.
  std::sort(durations.begin(), durations.end(),
            [](const Duration& a, const Duration& b) {
              return a.time != b.time ? a.time < b.time
                                      : !a.censored && b.censored;
            });
  double longer = 1;
  for (size_t i = 0; i < durations.size(); ++i) {
    if (durations[i].censored) {
      continue;
    }
    ++over_;
    const auto at_risk = static_cast<double>(durations.size() - i);
    longer *= 1 - 1 / at_risk;
    steps_.push_back({durations[i].time, longer});
  }
}

std::optional<double> SurvivalCurve::Quantile(double p,
                                              size_t least_over) const {
  // Products of many shares do not hit 1 - p to the last bit.
  constexpr double kRounding = 1e-9;
  if (over_ < least_over) {
    return std::nullopt;
  }
  const auto step = std::find_if(
      steps_.begin(), steps_.end(),
      [p](const Step& each) { return each.longer <= 1 - p + kRounding; });
  return step == steps_.end() ? std::nullopt : std::optional(step->time);
}

std::optional<double> SurvivalCurve::Mean(size_t least_over) const {
  constexpr double kMostUnknown = 0.05;
  if (steps_.empty() || over_ < least_over ||
      steps_.back().longer > kMostUnknown) {
    return std::nullopt;
  }
  double area = 0;
  double before = 0;
  double longer = 1;
  for (const Step& step : steps_) {
    area += longer * (step.time - before);
    before = step.time;
    longer = step.longer;
  }
  return area;
}

}  // namespace edgewise::tenants
