// Probabilistic worst-case times by peaks over threshold, or a refusal.
//
// What an application has shown so far says little about what it may still
// show. Extreme-value theory extrapolates, but only for samples that are
// independent, stationary, and whose tail has the assumed shape. Each is
// tested; if one test fails there is no number, and the failed gate is named
// with its statistic and critical value.
#ifndef EDGEWISE_STATS_EXTREME_H_
#define EDGEWISE_STATS_EXTREME_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "stats/pareto.h"
#include "stats/quantile.h"

namespace edgewise::stats {

// In the order in which they are tried.
enum class Gate {
  kSampleSize,     // at least 500 samples, of which 50 above the threshold
  kStationarity,   // KPSS
  kIndependence,   // Ljung-Box, 20 lags
  kTailFit,        // Anderson-Darling against the fitted tail
  kTailHeaviness,  // fitted shape below 0.5: beyond, the error is unbounded
};

// "sample size", "stationarity (KPSS)", ...
std::string_view GateText(Gate gate);

struct GateOutcome {
  Gate gate = Gate::kSampleSize;
  bool passed = false;
  double statistic = 0;
  // The limit that the statistic must not exceed; for kSampleSize the one that
  // it must reach.
  double critical = 0;
};

struct ExtremeOptions {
  // The probability per sample with which the estimate may be exceeded.
  double exceedance = 1e-6;
  double confidence = 0.95;
  uint64_t seed = 1;
};

struct ExtremeEstimate {
  // Gates in order, up to and including the first that failed.
  std::vector<GateOutcome> gates;
  // x_q = u + (scale / shape) ((q / z)^(-shape) - 1), with u the threshold and
  // z the share of samples above it; with an interval by parametric bootstrap.
  // Present only if every gate passed.
  std::optional<Estimate> bound;
  // The tail that was fitted; meaningful once kTailFit was reached.
  double threshold = 0;
  int64_t exceedances = 0;
  ParetoTail tail;

  // The gate that refused; nullptr if none did.
  const GateOutcome* failed() const;
  // One sentence for the user; empty if there is a bound.
  std::string RefusalText() const;
};

// The value that one sample exceeds with probability options.exceedance.
//
// `samples` in the order of measurement. The threshold leaves the largest tenth
// of the samples above it, but at most 1000. The critical value of
// Anderson-Darling's statistic and the interval come from 500 samples drawn
// from the fitted tail and fitted again (Stute, Gonzalez Manteiga and Presedo
// Quindimil 1993). An error (kInvalid) for samples that are not finite and for
// an exceedance that is not in [1e-12, share above the threshold).
Result<ExtremeEstimate> EstimateExtreme(std::span<const double> samples,
                                        const ExtremeOptions& options = {});

}  // namespace edgewise::stats

#endif  // EDGEWISE_STATS_EXTREME_H_
