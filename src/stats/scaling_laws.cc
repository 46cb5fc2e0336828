#include "stats/scaling_laws.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "stats/scaling_shape.h"
#include "stats/special.h"

namespace edgewise::stats {
namespace {

// Below these, a cost does not show at any n that exists.
constexpr double kNoCoherency = 1e-9;
constexpr double kNoSerialShare = 1e-9;

using Shape = ScalingShape;
using Residuals = ScalingResiduals;

double BestN(const Shape& shape) {
  return std::max(1.0, std::sqrt((1 - shape.s) / shape.k));
}

// ln of the largest speed-up; nullopt if there is none.
std::optional<double> LogLargest(const Shape& shape) {
  if (shape.k > kNoCoherency) {
    return LogSpeedup(shape, BestN(shape));
  }
  if (shape.s > kNoSerialShare) {
    return -std::log(shape.s);
  }
  return std::nullopt;
}

void Widen(Estimate& estimate, double low, double high) {
  estimate.low = std::min(estimate.low.value_or(estimate.value), low);
  estimate.high = std::max(estimate.high.value_or(estimate.value), high);
}

void AddIntervals(const Residuals& residuals, const Shape& best, double limit,
                  ScalingFit& fit) {
  bool best_n_unlimited = false;
  bool largest_unlimited = false;
  const auto widen = [&](const Shape& shape, double squares) {
    const double single = residuals.LogSingle(shape);
    // How far x(1) may be from its best for this shape.
    const double room =
        std::sqrt(std::max(limit - squares, 0.0) / residuals.count());
    Widen(fit.single, std::exp(single - room), std::exp(single + room));
    Widen(fit.serial_share, shape.s, shape.s);
    Widen(fit.coherency, shape.k, shape.k);
    if (fit.best_n) {
      if (shape.k > kNoCoherency) {
        Widen(*fit.best_n, BestN(shape), BestN(shape));
      } else {
        best_n_unlimited = true;
      }
    }
    if (fit.largest_throughput) {
      if (const auto largest = LogLargest(shape)) {
        Widen(*fit.largest_throughput, std::exp(single + *largest - room),
              std::exp(single + *largest + room));
      } else {
        largest_unlimited = true;
      }
    }
  };
  VisitShapesWithin(residuals, fit.law, best, limit, widen);
  if (best_n_unlimited) {
    fit.best_n->high = std::nullopt;
  }
  if (largest_unlimited) {
    fit.largest_throughput->high = std::nullopt;
  }
}

Result<void> Check(ScalingLaw law, std::span<const ScalingPoint> points) {
  std::set<double> distinct;
  for (const ScalingPoint& point : points) {
    const auto positive = [](double value) {
      return std::isfinite(value) && value > 0;
    };
    if (!positive(point.throughput) || !positive(point.weight) ||
        !std::isfinite(point.n) || point.n < 1) {
      return Error{ErrorCode::kInvalid,
                   "a scaling law needs counts of at least 1 and throughputs "
                   "above 0: leave failed measurements out"};
    }
    distinct.insert(point.n);
  }
  const size_t needed = law == ScalingLaw::kAmdahl ? 2 : 3;
  if (distinct.size() < needed) {
    return Error{ErrorCode::kInvalid,
                 std::string(ScalingLawName(law)) + " needs " +
                     std::to_string(needed) +
                     " different numbers of threads or cores, and there are " +
                     std::to_string(distinct.size()) + ": measure more"};
  }
  return {};
}

}  // namespace

std::string_view ScalingLawName(ScalingLaw law) {
  return law == ScalingLaw::kAmdahl ? "Amdahl's law"
                                    : "Universal Scalability Law";
}

Result<ScalingFit> FitScalingLaw(ScalingLaw law,
                                 std::span<const ScalingPoint> points,
                                 double confidence) {
  if (const Result<void> checked = Check(law, points); !checked) {
    return checked.error();
  }
  const Residuals residuals(points);
  const Shape best = BestShape(residuals, law);
  const double squares = residuals.Squares(best);
  const double count = residuals.count();
  const double parameters = law == ScalingLaw::kAmdahl ? 2 : 3;

  ScalingFit fit;
  fit.law = law;
  fit.points = static_cast<int64_t>(points.size());
  fit.single.value = std::exp(residuals.LogSingle(best));
  fit.serial_share.value = best.s;
  fit.coherency.value = best.k;
  if (best.k > kNoCoherency) {
    fit.best_n = Estimate{.value = BestN(best), .low = {}, .high = {}};
  }
  if (const auto largest = LogLargest(best)) {
    fit.largest_throughput = Estimate{
        .value = fit.single.value * std::exp(*largest), .low = {}, .high = {}};
  }

  double mean = 0;
  for (const ScalingPoint& point : points) {
    fit.largest_n = std::max(fit.largest_n, point.n);
    mean += residuals.Weight(point) * std::log(point.throughput) / count;
  }
  double spread = 0;
  for (const ScalingPoint& point : points) {
    const double difference = std::log(point.throughput) - mean;
    spread += residuals.Weight(point) * difference * difference;
  }
  if (spread > 0) {
    fit.r_squared = 1 - squares / spread;
  }
  const double spare = count - parameters;
  if (spare > 0) {
    fit.residual_percent = 100 * std::sqrt(squares / spare);
    const double t = StudentTQuantile((1 + confidence) / 2, spare);
    const double limit = squares * (1 + t * t / spare);
    AddIntervals(residuals, best, limit, fit);
  }
  const double estimated = parameters + 1;  // and the size of the residuals
  if (count > estimated + 1) {
    // Exact points would have a criterion without end.
    const double variance = std::max(squares / count, 1e-24);
    fit.aicc = count * std::log(variance) + 2 * estimated +
               2 * estimated * (estimated + 1) / (count - estimated - 1);
  }
  return fit;
}

double ThroughputAt(const ScalingFit& fit, double n) {
  return fit.single.value *
         std::exp(LogSpeedup({fit.serial_share.value, fit.coherency.value}, n));
}

std::optional<ScalingLaw> BetterLaw(const ScalingFit& a, const ScalingFit& b) {
  constexpr double kShown = 2;
  if (!a.aicc || !b.aicc || std::abs(*a.aicc - *b.aicc) < kShown) {
    return std::nullopt;
  }
  return *a.aicc < *b.aicc ? a.law : b.law;
}

}  // namespace edgewise::stats
