#include "store/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "base/units.h"
#include "stats/repeats.h"
#include "store/compare_spans.h"
#include "store/totals.h"

namespace edgewise {
namespace {

std::string SpanFigureName(double p) {
  return p <= 0 ? "mean" : fmt::format("p{:g}", p * 100);
}

std::string_view UnitOf(const Gate& gate) {
  if (gate.quantile) {
    return "ns";
  }
  for (const TotalFigure& total : TotalFigures()) {
    if (total.name == gate.total) {
      return total.unit;
    }
  }
  return "";
}

std::string AmountText(double value, const Gate& gate) {
  if (gate.relative) {
    return fmt::format("{:.3g}", value);
  }
  const std::string_view unit = UnitOf(gate);
  if (unit == "ns" || unit == "s") {
    return FormatDuration(unit == "s" ? value * 1e9 : value);
  }
  if (unit == "bytes") {
    return FormatBytes(value);
  }
  return fmt::format("{:.4g}{}{}", value, unit.empty() ? "" : " ", unit);
}

GateOutcome OutcomeOf(const GateFinding& finding, const Gate& gate) {
  if (!finding.low || !finding.high) {
    return GateOutcome::kInsufficient;
  }
  if (gate.above ? *finding.low > gate.limit : *finding.high < gate.limit) {
    return GateOutcome::kHolds;
  }
  return (gate.above ? *finding.high <= gate.limit : *finding.low >= gate.limit)
             ? GateOutcome::kNot
             : GateOutcome::kUndecided;
}

void Conclude(const Gate& gate, std::string_view reason, GateFinding& finding) {
  finding.outcome = OutcomeOf(finding, gate);
  const std::string limit = AmountText(gate.limit, gate);
  const std::string_view times = gate.relative ? " times what it was" : "";
  if (finding.outcome == GateOutcome::kInsufficient) {
    finding.sentence = fmt::format(
        "{} cannot be judged against {}: {}", finding.what, limit,
        reason.empty() ? "there are too few samples for an interval" : reason);
    return;
  }
  const std::string_view verdict =
      finding.outcome == GateOutcome::kHolds
          ? (gate.above ? "more than" : "less than")
      : finding.outcome == GateOutcome::kNot
          ? (gate.above ? "not more than" : "not less than")
          : (gate.above ? "not shown to be more than"
                        : "not shown to be less than");
  finding.sentence =
      fmt::format("{} is {}{} (95% interval {}–{}): {} {}", finding.what,
                  AmountText(finding.value.value_or(*finding.low), gate), times,
                  AmountText(*finding.low, gate),
                  AmountText(*finding.high, gate), verdict, limit);
}

// "An interval needs …." as the end of a sentence.
std::string Clause(std::string reason) {
  if (reason.ends_with('.')) {
    reason.pop_back();
  }
  if (!reason.empty() && reason[0] >= 'A' && reason[0] <= 'Z') {
    reason[0] = static_cast<char>(reason[0] - 'A' + 'a');
  }
  return reason;
}

GateFinding OfRatio(std::string what, const stats::Comparison& ratio,
                    const Gate& gate) {
  GateFinding finding;
  finding.what = std::move(what);
  finding.value = ratio.ratio;
  finding.low = ratio.low;
  finding.high = ratio.high;
  Conclude(gate, Clause(ratio.reason), finding);
  return finding;
}

// What several Runs have on average.
GateFinding OfMean(std::string what, const std::vector<double>& values,
                   const Gate& gate) {
  GateFinding finding;
  finding.what = std::move(what);
  if (const auto mean = stats::EstimateRepeats(values)) {
    finding.value = mean->value;
    if (values.size() >= kEnoughRepeats) {
      finding.low = mean->low;
      finding.high = mean->high;
    }
  }
  Conclude(gate, "an amount needs at least five Runs (--repeat 5)", finding);
  return finding;
}

std::optional<stats::Estimate> EstimateOf(const SpanAnalysis& span, double p) {
  const stats::SpanSummary& all = span.wall_ns;
  return p == 0.5    ? all.p50
         : p == 0.9  ? all.p90
         : p == 0.95 ? all.p95
                     : all.p99;
}

GateFinding OfSpan(const SamplePool& a, const SamplePool& b, bool interleaved,
                   const Gate& gate) {
  const double p = *gate.quantile;
  std::string what = a.name + " " + SpanFigureName(p);
  if (gate.relative) {
    const auto pairing =
        interleaved ? stats::Pairing::kPaired : stats::Pairing::kIndependent;
    return OfRatio(std::move(what), CompareSpanFigure(a, b, pairing, p).ratio,
                   gate);
  }
  // As for ratios: whole Runs where there are enough, else the spans within.
  if (p <= 0 || b.parts.size() >= kEnoughRepeats) {
    return OfMean(std::move(what), FigurePerRun(b, p), gate);
  }
  GateFinding finding;
  finding.what = std::move(what);
  if (const auto estimate = EstimateOf(AnalyseSamples(b.parts), p)) {
    finding.value = estimate->value;
    finding.low = estimate->low;
    finding.high = estimate->high;
  }
  Conclude(gate, "", finding);
  return finding;
}

Result<std::vector<GateFinding>> JudgeSpans(const Store& store,
                                            const RunComparison& comparison,
                                            const Gate& gate) {
  const auto of_a = PoolSamples(store, comparison.a);
  if (!of_a) {
    return of_a.error();
  }
  const auto of_b = PoolSamples(store, comparison.b);
  if (!of_b) {
    return of_b.error();
  }
  std::vector<GateFinding> findings;
  std::vector<std::string> names;
  for (const SamplePool& b : *of_b) {
    const SamplePool* a = FindPool(*of_a, b);
    if (a == nullptr && gate.relative) {
      continue;
    }
    names.push_back(b.name);
    if (gate.span.empty() || gate.span == b.name) {
      findings.push_back(
          OfSpan(a != nullptr ? *a : b, b, comparison.interleaved, gate));
    }
  }
  if (!findings.empty()) {
    return findings;
  }
  return Error{
      ErrorCode::kInvalid,
      names.empty()
          ? fmt::format("\"{}\" is about spans, and the Runs have none in "
                        "common: gate on wall, cpu or memory instead",
                        gate.text)
          : fmt::format("the Runs have no span \"{}\" in common, but {}",
                        gate.span, Join(names, ", "))};
}

}  // namespace

Result<std::vector<GateFinding>> JudgeGate(const Store& store,
                                           const RunComparison& comparison,
                                           const Gate& gate) {
  if (gate.quantile) {
    return JudgeSpans(store, comparison, gate);
  }
  for (const TotalComparison& total : comparison.totals) {
    if (total.name != gate.total) {
      continue;
    }
    if (gate.relative) {
      return std::vector{OfRatio(gate.word, total.ratio, gate)};
    }
    const auto figures = TotalFigures();
    const auto figure = std::find_if(
        figures.begin(), figures.end(),
        [&](const TotalFigure& f) { return f.name == gate.total; });
    std::vector<double> values;
    for (const Run& run : comparison.b) {
      if (const auto value = figure->read(run.totals)) {
        values.push_back(*value);
      }
    }
    return std::vector{OfMean(gate.word, values, gate)};
  }
  return Error{ErrorCode::kInvalid,
               fmt::format("neither Run has {}, which \"{}\" is about",
                           gate.total, gate.text)};
}

}  // namespace edgewise
