#include "stats/compare.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "stats/autocorrelation.h"
#include "stats/block_bootstrap.h"
#include "stats/moments.h"
#include "stats/quantile.h"
#include "stats/random.h"
#include "stats/rank_selector.h"
#include "stats/special.h"

namespace edgewise::stats {
namespace {

constexpr int kReplicates = 1000;
constexpr double kMinEffective = 20;
constexpr size_t kMinRepeats = 5;
constexpr size_t kMaxResampled = size_t{1} << 17;

bool AllFinite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(),
                     [](double value) { return std::isfinite(value); });
}

Comparison Insufficient(std::optional<double> ratio, std::string reason) {
  Comparison comparison;
  comparison.ratio = ratio;
  comparison.reason = std::move(reason);
  return comparison;
}

Comparison WithInterval(double log_ratio, double log_low, double log_high,
                        std::string method) {
  Comparison comparison;
  comparison.ratio = std::exp(log_ratio);
  comparison.low = std::exp(log_low);
  comparison.high = std::exp(log_high);
  comparison.method = std::move(method);
  comparison.verdict = *comparison.high < 1  ? Verdict::kFaster
                       : *comparison.low > 1 ? Verdict::kSlower
                                             : Verdict::kNoDifference;
  return comparison;
}

// One side of CompareSpans.
struct Side {
  double figure = 0;
  double n_effective = 0;
  bool sufficient = false;
  // Of the figure from what is resampled: the replicates scatter around it.
  double resampled_figure = 0;
  BlockPlan plan;
  std::vector<double> replicates;
};

void ResampleMean(std::span<const double> series, Random* random, Side* side) {
  side->figure = MomentsOf(series).mean().value_or(0);
  side->resampled_figure = side->figure;
  side->n_effective = EffectiveSampleSize(series);
  side->sufficient = side->n_effective >= kMinEffective;
  if (!side->sufficient) return;
  side->plan = PlanBlocks(series.size(), side->n_effective);
  side->replicates = BootstrapMeans(series, side->plan, kReplicates, random);
}

void ResampleQuantile(std::span<const double> series,
                      const SpanComparisonOptions& options, double p,
                      Random* random, Side* side) {
  const auto n = static_cast<int64_t>(series.size());
  side->figure = RankSelector(series).At(PointRank(n, p));
  side->n_effective = EffectiveSampleSizeAt(series, side->figure);
  const QuantileRanks ranks =
      IntervalRanks(n, side->n_effective, p, options.confidence);
  side->sufficient =
      side->n_effective >= kMinEffective && ranks.low && ranks.high;
  if (!side->sufficient) return;
  std::vector<double> thinned;
  side->resampled_figure = side->figure;
  double resampled_effective = side->n_effective;
  if (series.size() > kMaxResampled) {
    thinned = ThinToSize(series, kMaxResampled, random);
    series = thinned;
    side->resampled_figure = RankSelector(series).At(
        PointRank(static_cast<int64_t>(series.size()), p));
    resampled_effective = EffectiveSampleSizeAt(series, side->resampled_figure);
  }
  side->plan = PlanBlocks(series.size(), resampled_effective);
  side->replicates = BootstrapQuantiles(series, p, resampled_effective,
                                        side->plan, kReplicates, random);
}

// Student's t for the blocks in place of the normal distribution that the
// bootstrap tends to, and the bias of a variance among them.
double SmallSampleFactor(size_t blocks, double confidence) {
  const auto k = static_cast<double>(blocks);
  const double probability = (1 + confidence) / 2;
  return std::sqrt(k / (k - 1)) * StudentTQuantile(probability, k - 1) /
         NormalQuantile(probability);
}

}  // namespace

std::string_view VerdictText(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFaster:
      return "faster";
    case Verdict::kSlower:
      return "slower";
    case Verdict::kNoDifference:
      return "no difference shown";
    case Verdict::kInsufficient:
      return "insufficient samples";
  }
  return "insufficient samples";
}

Comparison CompareSpans(std::span<const double> a, std::span<const double> b,
                        const SpanComparisonOptions& options) {
  assert(options.confidence > 0 && options.confidence < 1);
  if (a.empty() || b.empty()) {
    return Insufficient(std::nullopt, "One side has no samples.");
  }
  if (!AllFinite(a) || !AllFinite(b)) {
    return Insufficient(std::nullopt, "Some samples are not finite numbers.");
  }
  Random random(options.seed);
  Side sides[2];
  for (int i = 0; i < 2; ++i) {
    const std::span<const double> series = i == 0 ? a : b;
    if (options.statistic == Statistic::kMean) {
      ResampleMean(series, &random, &sides[i]);
    } else {
      const double p =
          options.statistic == Statistic::kMedian ? 0.5 : options.quantile;
      ResampleQuantile(series, options, p, &random, &sides[i]);
    }
    if (!(sides[i].figure > 0)) {
      return Insufficient(std::nullopt,
                          "A ratio needs positive figures on both sides.");
    }
  }
  const double ratio = sides[1].figure / sides[0].figure;
  if (!sides[0].sufficient || !sides[1].sufficient) {
    return Insufficient(
        ratio, "Too few independent samples on one side for an interval.");
  }
  const double centre =
      std::log(sides[1].resampled_figure / sides[0].resampled_figure);
  std::vector<double> deviations;
  deviations.reserve(kReplicates);
  for (size_t i = 0; i < kReplicates; ++i) {
    const double top = sides[1].replicates[i];
    const double bottom = sides[0].replicates[i];
    if (!(top > 0) || !(bottom > 0)) {
      return Insufficient(ratio,
                          "Resampled figures are not positive, so their ratio "
                          "has no interval.");
    }
    deviations.push_back(std::log(top / bottom) - centre);
  }
  std::sort(deviations.begin(), deviations.end());
  const double tail = (1 - options.confidence) / 2;
  const auto skipped = static_cast<size_t>(tail * kReplicates);
  const double factor = SmallSampleFactor(
      std::min(sides[0].plan.blocks, sides[1].plan.blocks), options.confidence);
  const double log_ratio = std::log(ratio);
  return WithInterval(
      log_ratio, log_ratio + factor * std::min(deviations[skipped], 0.0),
      log_ratio +
          factor * std::max(deviations[deviations.size() - 1 - skipped], 0.0),
      "circular block bootstrap, 1000 replicates");
}

Comparison CompareRepeats(std::span<const double> a, std::span<const double> b,
                          Pairing pairing, double confidence) {
  assert(confidence > 0 && confidence < 1);
  const auto usable = [](double value) {
    return std::isfinite(value) && value > 0;
  };
  if (!std::all_of(a.begin(), a.end(), usable) ||
      !std::all_of(b.begin(), b.end(), usable)) {
    return Insufficient(std::nullopt,
                        "A ratio needs finite, positive figures.");
  }
  if (a.empty() || b.empty()) {
    return Insufficient(std::nullopt, "One side has no repeats.");
  }
  Moments log_a;
  Moments log_b;
  for (const double value : a) log_a.Add(std::log(value));
  for (const double value : b) log_b.Add(std::log(value));
  const double log_ratio = *log_b.mean() - *log_a.mean();
  if (a.size() < kMinRepeats || b.size() < kMinRepeats) {
    return Insufficient(std::exp(log_ratio),
                        "An interval needs at least five repeats a side.");
  }
  const double probability = (1 + confidence) / 2;
  if (pairing == Pairing::kPaired) {
    if (a.size() != b.size()) {
      return Insufficient(std::exp(log_ratio),
                          "Paired repeats must be equally many on both sides.");
    }
    Moments differences;
    for (size_t i = 0; i < a.size(); ++i) {
      differences.Add(std::log(b[i] / a[i]));
    }
    const auto n = static_cast<double>(a.size());
    const double reach = StudentTQuantile(probability, n - 1) *
                         *differences.stddev() / std::sqrt(n);
    return WithInterval(log_ratio, log_ratio - reach, log_ratio + reach,
                        "paired t interval on log ratios");
  }
  const double error_a =
      *log_a.stddev() * *log_a.stddev() / static_cast<double>(a.size());
  const double error_b =
      *log_b.stddev() * *log_b.stddev() / static_cast<double>(b.size());
  const double error = error_a + error_b;
  double reach = 0;
  if (error > 0) {
    const double degrees =
        error * error /
        (error_a * error_a / static_cast<double>(a.size() - 1) +
         error_b * error_b / static_cast<double>(b.size() - 1));
    reach = StudentTQuantile(probability, degrees) * std::sqrt(error);
  }
  return WithInterval(log_ratio, log_ratio - reach, log_ratio + reach,
                      "Welch t interval on logarithms");
}

}  // namespace edgewise::stats
