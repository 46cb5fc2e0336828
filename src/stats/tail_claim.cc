#include "stats/tail_claim.h"

#include <cmath>

#include "stats/special.h"

namespace edgewise::stats {

int64_t MlperfQueries(double p) {
  constexpr double kConfidence = 0.99;
  constexpr double kStep = 8192;
  const double margin = (1 - p) / 20;
  const double z = NormalQuantile((1 - kConfidence) / 2);
  const double queries = z * z * p * (1 - p) / (margin * margin);
  return static_cast<int64_t>(std::ceil(queries / kStep) * kStep);
}

}  // namespace edgewise::stats
