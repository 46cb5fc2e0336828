// Times of which some are known only to be longer than something.
#ifndef EDGEWISE_TENANTS_SURVIVAL_H_
#define EDGEWISE_TENANTS_SURVIVAL_H_

#include <optional>
#include <vector>

namespace edgewise::tenants {

struct Duration {
  double time = 0;
  bool censored = false;  // it took longer than that
};

// The share that takes longer than a time, by Kaplan and Meier (1958): what is
// censored counts as "longer" for as long as it was seen.
class SurvivalCurve {
 public:
  explicit SurvivalCurve(std::vector<Duration> durations);

  // The least time within which the share `p` was over; nullopt where too many
  // are censored, or fewer than `least_over` were over at all.
  std::optional<double> Quantile(double p, size_t least_over) const;
  // Up to the longest that was over; nullopt where more than one in twenty took
  // longer than that, or fewer than `least_over` were over at all.
  std::optional<double> Mean(size_t least_over) const;

 private:
  struct Step {
    double time;
    double longer;  // share that takes longer
  };
  std::vector<Step> steps_;
  size_t over_ = 0;
};

}  // namespace edgewise::tenants

#endif  // EDGEWISE_TENANTS_SURVIVAL_H_
