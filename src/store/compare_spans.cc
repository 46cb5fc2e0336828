#include "store/compare_spans.h"

#include <algorithm>
#include <cmath>

#include "stats/moments.h"
#include "stats/quantile.h"

namespace edgewise {
namespace {

using stats::Comparison;
using stats::Pairing;

double FigureOf(std::vector<double> samples, double p) {
  if (p <= 0) {
    return *stats::MomentsOf(samples).mean();
  }
  const int64_t rank =
      stats::PointRank(static_cast<int64_t>(samples.size()), p);
  const auto nth = samples.begin() + (rank - 1);
  std::nth_element(samples.begin(), nth, samples.end());
  return *nth;
}

std::vector<double> AllSamples(const SamplePool& pool) {
  std::vector<double> samples;
  for (const SpanSamples& part : pool.parts) {
    samples.insert(samples.end(), part.wall_ns.begin(), part.wall_ns.end());
  }
  return samples;
}

std::optional<double> FigureOfAll(const std::vector<double>& samples,
                                  double p) {
  return samples.empty() ? std::nullopt : std::optional(FigureOf(samples, p));
}

}  // namespace

std::vector<double> FigurePerRun(const SamplePool& pool, double p) {
  std::vector<double> figures;
  for (const SpanSamples& part : pool.parts) {
    if (!part.wall_ns.empty()) {
      figures.push_back(FigureOf(part.wall_ns, p));
    }
  }
  return figures;
}

Comparison CompareFigures(const std::vector<double>& a,
                          const std::vector<double>& b, Pairing pairing) {
  return stats::CompareRepeats(
      a, b, a.size() == b.size() ? pairing : Pairing::kIndependent);
}

std::optional<double> Centre(const std::vector<double>& values,
                             const Comparison& comparison) {
  if (!comparison.ratio || values.size() == 1) {
    return stats::MomentsOf(values).mean();
  }
  stats::Moments logarithms;
  for (const double value : values) {
    logarithms.Add(std::log(value));
  }
  return std::exp(logarithms.mean().value_or(0));
}

SpanFigure CompareSpanFigure(const SamplePool& a, const SamplePool& b,
                             Pairing pairing, double p) {
  SpanFigure figure;
  if (std::min(a.parts.size(), b.parts.size()) >= kEnoughRepeats) {
    const std::vector<double> of_a = FigurePerRun(a, p);
    const std::vector<double> of_b = FigurePerRun(b, p);
    figure.ratio = CompareFigures(of_a, of_b, pairing);
    figure.ns = {Centre(of_a, figure.ratio), Centre(of_b, figure.ratio)};
    return figure;
  }
  const std::vector<double> of_a = AllSamples(a);
  const std::vector<double> of_b = AllSamples(b);
  stats::SpanComparisonOptions options;
  options.statistic = p <= 0     ? stats::Statistic::kMean
                      : p == 0.5 ? stats::Statistic::kMedian
                                 : stats::Statistic::kQuantile;
  options.quantile = p > 0 ? p : options.quantile;
  figure.ratio = stats::CompareSpans(of_a, of_b, options);
  figure.ns = {FigureOfAll(of_a, p), FigureOfAll(of_b, p)};
  return figure;
}

const SamplePool* FindPool(const std::vector<SamplePool>& pools,
                           const SamplePool& like) {
  for (const SamplePool& pool : pools) {
    if (pool.name == like.name &&
        pool.parts.front().are_jobs == like.parts.front().are_jobs) {
      return &pool;
    }
  }
  return nullptr;
}

}  // namespace edgewise
