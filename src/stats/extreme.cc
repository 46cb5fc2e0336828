#include "stats/extreme.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "stats/gates.h"
#include "stats/random.h"
#include "stats/rank_selector.h"

namespace edgewise::stats {
namespace {

constexpr int64_t kMinSamples = 500;
constexpr int64_t kMinExceedances = 50;
constexpr int64_t kMaxExceedances = 1000;
constexpr size_t kIndependenceLags = 20;
constexpr double kMaxShape = 0.5;
constexpr int kReplicates = 500;
constexpr double kLevel = 0.05;
constexpr double kLeastExceedance = 1e-12;

// The excesses over the threshold, ascending.
std::vector<double> ExcessesOver(std::span<const double> samples,
                                 double threshold) {
  std::vector<double> excesses;
  for (const double sample : samples) {
    if (sample > threshold) excesses.push_back(sample - threshold);
  }
  std::sort(excesses.begin(), excesses.end());
  return excesses;
}

double DistanceFrom(const ParetoTail& tail, std::span<const double> excesses,
                    std::vector<double>* scratch) {
  scratch->clear();
  for (const double excess : excesses) scratch->push_back(tail.Cdf(excess));
  return AndersonDarling(*scratch);
}

// `size` ascending draws from the tail: sorted uniforms are the partial sums of
// exponential draws over their total.
void DrawSorted(const ParetoTail& tail, size_t size, Random* random,
                std::vector<double>* draws) {
  draws->resize(size);
  double sum = 0;
  for (double& draw : *draws) {
    sum -= std::log(random->Uniform());
    draw = sum;
  }
  sum -= std::log(random->Uniform());
  for (double& draw : *draws) draw = tail.ExcessAt(1 - draw / sum);
}

// What refitting samples of the fitted tail says about the fit.
struct Refits {
  std::vector<double> distances;  // ascending
  std::vector<double> bounds;     // ascending
};

Refits RefitDraws(const ExtremeEstimate& fitted, int64_t n,
                  const ExtremeOptions& options) {
  Refits refits;
  Random random(options.seed);
  std::vector<double> draws;
  std::vector<double> scratch;
  const auto size = static_cast<double>(n);
  const auto exceedances = static_cast<double>(fitted.exceedances);
  const double share_error =
      std::sqrt(exceedances * (1 - exceedances / size)) / size;
  for (int i = 0; i < kReplicates; ++i) {
    DrawSorted(fitted.tail, static_cast<size_t>(fitted.exceedances), &random,
               &draws);
    const auto tail = FitParetoTail(draws);
    const double share = exceedances / size + share_error * random.Normal();
    if (!tail) continue;
    refits.distances.push_back(DistanceFrom(*tail, draws, &scratch));
    refits.bounds.push_back(
        fitted.threshold +
        tail->ExcessAt(std::min(options.exceedance / share, 1.0)));
  }
  std::sort(refits.distances.begin(), refits.distances.end());
  std::sort(refits.bounds.begin(), refits.bounds.end());
  return refits;
}

double AtShare(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<size_t>(
      PointRank(static_cast<int64_t>(sorted.size()), share) - 1)];
}

// Appends the outcome; true if the next gate may be tried.
bool Pass(ExtremeEstimate* estimate, Gate gate, bool passed, double statistic,
          double critical) {
  estimate->gates.push_back({gate, passed, statistic, critical});
  return passed;
}

}  // namespace

std::string_view GateText(Gate gate) {
  switch (gate) {
    case Gate::kSampleSize:
      return "sample size";
    case Gate::kStationarity:
      return "stationarity (KPSS)";
    case Gate::kIndependence:
      return "independence (Ljung-Box)";
    case Gate::kTailFit:
      return "fit of the tail (Anderson-Darling)";
    case Gate::kTailHeaviness:
      return "heaviness of the tail (shape)";
  }
  return "unknown gate";
}

const GateOutcome* ExtremeEstimate::failed() const {
  return gates.empty() || gates.back().passed ? nullptr : &gates.back();
}

std::string ExtremeEstimate::RefusalText() const {
  const GateOutcome* gate = failed();
  if (gate == nullptr) return "";
  std::array<char, 96> figures;
  std::snprintf(
      figures.data(), figures.size(), "%.4g, %s %.4g", gate->statistic,
      gate->gate == Gate::kSampleSize ? "needed" : "limit", gate->critical);
  return "No extreme-value estimate: the samples fail the gate for " +
         std::string(GateText(gate->gate)) + ", " + figures.data() + ".";
}

Result<ExtremeEstimate> EstimateExtreme(std::span<const double> samples,
                                        const ExtremeOptions& options) {
  const auto n = static_cast<int64_t>(samples.size());
  if (!std::all_of(samples.begin(), samples.end(),
                   [](double sample) { return std::isfinite(sample); })) {
    return Error{ErrorCode::kInvalid,
                 "Some samples are not finite numbers; remove them first."};
  }
  if (!(options.exceedance >= kLeastExceedance) ||
      !(options.confidence > 0 && options.confidence < 1)) {
    return Error{ErrorCode::kInvalid,
                 "The exceedance probability must be at least 1e-12 and the "
                 "confidence between 0 and 1."};
  }
  ExtremeEstimate estimate;
  if (!Pass(&estimate, Gate::kSampleSize, n >= kMinSamples,
            static_cast<double>(n), static_cast<double>(kMinSamples))) {
    return estimate;
  }
  const int64_t wanted = std::min(n / 10, kMaxExceedances);
  estimate.threshold = RankSelector(samples).At(n - wanted);
  const std::vector<double> excesses =
      ExcessesOver(samples, estimate.threshold);
  estimate.exceedances = static_cast<int64_t>(excesses.size());
  const double share =
      static_cast<double>(estimate.exceedances) / static_cast<double>(n);
  if (estimate.exceedances < kMinExceedances) {
    // Ties at the threshold: a clock too coarse, or a tail with no variety.
    Pass(&estimate, Gate::kSampleSize, false,
         static_cast<double>(estimate.exceedances),
         static_cast<double>(kMinExceedances));
    return estimate;
  }
  if (options.exceedance >= share) {
    return Error{ErrorCode::kInvalid,
                 "The exceedance probability is not in the tail; use an "
                 "observed quantile for it."};
  }
  const GateStatistic stationarity = Kpss(samples);
  if (!Pass(&estimate, Gate::kStationarity, stationarity.passed(),
            stationarity.statistic, stationarity.critical)) {
    return estimate;
  }
  const GateStatistic independence = LjungBox(samples, kIndependenceLags);
  if (!Pass(&estimate, Gate::kIndependence, independence.passed(),
            independence.statistic, independence.critical)) {
    return estimate;
  }
  const std::optional<ParetoTail> tail = FitParetoTail(excesses);
  if (!tail) {
    Pass(&estimate, Gate::kTailFit, false, 0, 0);
    return estimate;
  }
  estimate.tail = *tail;
  const Refits refits = RefitDraws(estimate, n, options);
  if (refits.bounds.size() < kReplicates / 2) {
    Pass(&estimate, Gate::kTailFit, false, 0, 0);
    return estimate;
  }
  std::vector<double> scratch;
  const double distance = DistanceFrom(*tail, excesses, &scratch);
  const double critical = AtShare(refits.distances, 1 - kLevel);
  if (!Pass(&estimate, Gate::kTailFit, distance <= critical, distance,
            critical)) {
    return estimate;
  }
  if (!Pass(&estimate, Gate::kTailHeaviness, tail->shape < kMaxShape,
            tail->shape, kMaxShape)) {
    return estimate;
  }
  const double side = (1 - options.confidence) / 2;
  estimate.bound = Estimate{
      .value = estimate.threshold + tail->ExcessAt(options.exceedance / share),
      .low = AtShare(refits.bounds, side),
      .high = AtShare(refits.bounds, 1 - side)};
  return estimate;
}

}  // namespace edgewise::stats
