// Prediction intervals by conformal calibration: how far predictions of groups
// that were held out missed says how far the next group's may miss.
#ifndef EDGEWISE_PREDICTION_CONFORMAL_H_
#define EDGEWISE_PREDICTION_CONFORMAL_H_

#include <optional>
#include <string>
#include <vector>

namespace edgewise {

// One prediction of something that had been held out, with its group.
struct Miss {
  double log_error = 0;  // predicted minus actual
  std::string group;
};

// Factors around a prediction p: between p * exp(-below) and p * exp(above).
struct IntervalWidth {
  double below = 0;
  double above = 0;
};

// The interval that holds `coverage` of the misses, as much on either side.
// Misses of one group go together, so what that promises for the next group is
// not a theorem: CrossCoverage measures it. nullopt with fewer than ten groups
// or a hundred misses.
std::optional<IntervalWidth> ConformalWidth(const std::vector<Miss>& misses,
                                            double coverage);

// The share of misses within the interval made from the *other* groups; nullopt
// where no such interval exists.
std::optional<double> CrossCoverage(const std::vector<Miss>& misses,
                                    double coverage);

}  // namespace edgewise

#endif  // EDGEWISE_PREDICTION_CONFORMAL_H_
