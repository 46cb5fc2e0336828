// All figures of merit of a way to predict, from held-out groups.
#ifndef EDGEWISE_PREDICTION_EVALUATE_H_
#define EDGEWISE_PREDICTION_EVALUATE_H_

#include <vector>

#include "base/result.h"
#include "prediction/cross_validation.h"
#include "prediction/latency_model.h"

namespace edgewise {

// How much two honest measurements of the same thing differ: what no
// prediction can undercut.
struct NoiseFloor {
  // Runs of the same device, threads and cores that differ in their note or
  // their date only: median |ratio - 1| of a network's times, as they are, and
  // with the runs' levels made equal. nullopt: no such pair.
  int64_t pairs = 0;
  std::optional<double> between_runs;
  std::optional<double> between_runs_levelled;
};
NoiseFloor FindNoiseFloor(const LatencyData& data);

struct Evaluation {
  NoiseFloor noise;
  std::vector<NamedMetrics> rows;
};
Evaluation Evaluate(const LatencyData& data, const HeldOut& held_out);

}  // namespace edgewise

#endif  // EDGEWISE_PREDICTION_EVALUATE_H_
