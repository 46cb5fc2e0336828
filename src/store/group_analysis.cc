// Repeats of one command, summarised.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/units.h"
#include "stats/moments.h"
#include "stats/special.h"
#include "store/analysis.h"
#include "store/pooled_samples.h"
#include "store/totals.h"

namespace edgewise {
namespace {

constexpr double kConfidence = 0.95;

RepeatFigure FigureOf(const TotalFigure& total,
                      const std::vector<double>& values) {
  const stats::Moments moments = stats::MomentsOf(values);
  RepeatFigure figure;
  figure.name = total.name;
  figure.unit = total.unit;
  figure.count = moments.count();
  figure.mean = *moments.mean();
  figure.min = *moments.min();
  figure.max = *moments.max();
  figure.stddev = moments.stddev();
  if (figure.stddev) {
    const auto n = static_cast<double>(figure.count);
    const double half = stats::StudentTQuantile((1 + kConfidence) / 2, n - 1) *
                        *figure.stddev / std::sqrt(n);
    figure.low = std::max(0.0, figure.mean - half);
    figure.high = figure.mean + half;
  }
  return figure;
}

}  // namespace

Result<GroupAnalysis> AnalyseGroup(const Store& store,
                                   std::span<const Run> runs) {
  if (runs.empty()) {
    return Error{ErrorCode::kInvalid, "there are no Runs to summarise"};
  }
  GroupAnalysis analysis;
  analysis.runs = static_cast<int64_t>(runs.size());
  for (const Run& run : runs) {
    auto each = Analyse(store, run);
    if (!each) {
      return each.error();
    }
    analysis.each.push_back(std::move(*each));
  }
  for (const TotalFigure& total : TotalFigures()) {
    std::vector<double> values;
    for (const Run& run : runs) {
      if (const auto value = total.read(run.totals)) {
        values.push_back(*value);
      }
    }
    if (!values.empty()) {
      analysis.figures.push_back(FigureOf(total, values));
    }
  }
  auto pools = PoolSamples(store, runs);
  if (!pools) {
    return pools.error();
  }
  for (const auto& pool : *pools) {
    analysis.spans.push_back(AnalyseSamples(pool.parts));
  }
  const int64_t failed = CountFailed(runs);
  if (failed > 0) {
    analysis.warnings.push_back(
        fmt::format("{} of {} failed or were cut short; they are part of the "
                    "figures",
                    failed, FormatCount(analysis.runs, "repeat")));
  }
  return analysis;
}

}  // namespace edgewise
