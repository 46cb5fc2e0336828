// How much slower inference becomes beside other load: a curve that never
// falls, from measurements under background load.
#ifndef EDGEWISE_PREDICTION_LOAD_RESPONSE_H_
#define EDGEWISE_PREDICTION_LOAD_RESPONSE_H_

#include <optional>
#include <vector>

#include "prediction/load_rows.h"

namespace edgewise {

// Straight lines between knots. Loads rise from 0 and so, or not at all, do
// the logarithms of the slowdown, which start at 0. Empty: not measured.
struct LoadCurve {
  std::vector<double> load_percent;
  std::vector<double> log_slowdown;

  // Beyond the last knot the last line goes on. Must not be empty.
  double At(double percent) const;
};

struct LoadResponse {
  LoadCurve one_thread;
  LoadCurve more_threads;
  // Nine of ten slowdowns of networks that the curve had not seen were within
  // this factor of it, as a logarithm; nullopt: insufficient samples.
  std::optional<double> log_error_90;
  int64_t rows = 0;  // under load
  double most_load_percent = 0;

  // Where only one of the curves was measured, it stands for both.
  double LogSlowdown(double percent, int threads) const;
  // What a slow-down may be wrong by: nothing without load, all of log_error_90
  // from the least load on that networks are usually measured under.
  std::optional<double> LogError(double percent) const;
};

// nullopt if no network was measured with and without load on one device with
// as many threads. "Without" is the least load, if that is below 20%.
std::optional<LoadResponse> FitLoad(const std::vector<LoadRow>& rows);

}  // namespace edgewise

#endif  // EDGEWISE_PREDICTION_LOAD_RESPONSE_H_
