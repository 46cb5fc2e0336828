#include "stats/pareto.h"

#include <cmath>

namespace edgewise::stats {
namespace {

// Below this the formulas with 1 / shape lose digits to their limit.
constexpr double kNoShape = 1e-8;

}  // namespace

double ParetoTail::Cdf(double excess) const {
  if (std::abs(shape) < kNoShape) return -std::expm1(-excess / scale);
  const double base = 1 + shape * excess / scale;
  if (base <= 0) return 1;
  return -std::expm1(-std::log(base) / shape);
}

double ParetoTail::ExcessAt(double exceedance) const {
  const double log_exceedance = std::log(exceedance);
  if (std::abs(shape) < kNoShape) return -scale * log_exceedance;
  return scale / shape * std::expm1(-shape * log_exceedance);
}

std::optional<ParetoTail> FitParetoTail(std::span<const double> excesses) {
  if (excesses.size() < 3 || !(excesses.front() < excesses.back())) {
    return std::nullopt;
  }
  const auto n = static_cast<double>(excesses.size());
  double mean = 0;
  double weighted = 0;
  double position = 0.65;
  for (const double excess : excesses) {
    mean += excess;
    weighted += (1 - position / n) * excess;
    position += 1;
  }
  mean /= n;
  weighted /= n;
  const double spread = mean - 2 * weighted;
  if (!(spread > 0)) return std::nullopt;
  ParetoTail tail;
  tail.shape = 2 - mean / spread;
  tail.scale = 2 * mean * weighted / spread;
  const double end_point = excesses.back() * (1 + 1 / n);
  if (tail.shape < 0 && -tail.scale / tail.shape < end_point) {
    tail.shape = -tail.scale / end_point;
  }
  return tail;
}

}  // namespace edgewise::stats
