// Two Runs, or two groups of repeats, against each other.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/units.h"
#include "store/analysis.h"
#include "store/compare_spans.h"
#include "store/pooled_samples.h"
#include "store/totals.h"

namespace edgewise {
namespace {

using stats::Comparison;
using stats::Pairing;

// The Runs that one Run stands for, oldest first.
Result<std::vector<Run>> SideOf(const Store& store, const Run& run) {
  if (run.group.empty()) {
    return std::vector<Run>{run};
  }
  ListFilter filter;
  filter.group = run.group;
  auto runs = store.List(filter);
  if (!runs) {
    return runs.error();
  }
  std::erase_if(*runs, [&](const Run& other) {
    return other.group_role != run.group_role;
  });
  if (runs->empty()) {
    return std::vector<Run>{run};
  }
  std::reverse(runs->begin(), runs->end());
  return std::move(*runs);
}

std::vector<double> TotalsOf(std::span<const Run> runs,
                             const TotalFigure& figure) {
  std::vector<double> values;
  for (const Run& run : runs) {
    if (const auto value = figure.read(run.totals)) {
      values.push_back(*value);
    }
  }
  return values;
}

std::vector<TotalComparison> CompareTotals(std::span<const Run> a,
                                           std::span<const Run> b,
                                           Pairing pairing) {
  std::vector<TotalComparison> compared;
  for (const TotalFigure& figure : TotalFigures()) {
    const std::vector<double> of_a = TotalsOf(a, figure);
    const std::vector<double> of_b = TotalsOf(b, figure);
    if (of_a.empty() && of_b.empty()) {
      continue;
    }
    TotalComparison total;
    total.name = figure.name;
    total.unit = figure.unit;
    const bool all_known = of_a.size() == a.size() && of_b.size() == b.size();
    total.ratio =
        CompareFigures(of_a, of_b, all_known ? pairing : Pairing::kIndependent);
    total.a = Centre(of_a, total.ratio);
    total.b = Centre(of_b, total.ratio);
    compared.push_back(std::move(total));
  }
  return compared;
}

SpanComparison CompareSpan(const SamplePool& a, const SamplePool& b,
                           Pairing pairing, const AnalysisDetail& detail) {
  SpanComparison compared;
  compared.name = a.name;
  compared.a = AnalyseSamples(a.parts, detail);
  compared.b = AnalyseSamples(b.parts, detail);
  const auto compare = [&](double p, stats::Comparison& ratio,
                           ComparedFigures& ns) {
    SpanFigure figure = CompareSpanFigure(a, b, pairing, p);
    ratio = std::move(figure.ratio);
    ns = figure.ns;
  };
  compare(0, compared.mean, compared.mean_ns);
  compare(0.5, compared.median, compared.median_ns);
  compare(0.99, compared.p99, compared.p99_ns);
  if (std::min(a.parts.size(), b.parts.size()) < kEnoughRepeats) {
    // The pooled figures, which also know what is kept as a distribution only.
    const auto value_of = [](const std::optional<stats::Estimate>& estimate) {
      return estimate ? std::optional(estimate->value) : std::nullopt;
    };
    const stats::SpanSummary& all_a = compared.a.wall_ns;
    const stats::SpanSummary& all_b = compared.b.wall_ns;
    compared.mean_ns = {all_a.mean, all_b.mean};
    compared.median_ns = {value_of(all_a.p50), value_of(all_b.p50)};
    compared.p99_ns = {value_of(all_a.p99), value_of(all_b.p99)};
  }
  return compared;
}

void Warn(RunComparison& comparison) {
  const Run& a = comparison.a.front();
  const Run& b = comparison.b.front();
  auto& warnings = comparison.warnings;
  if (a.machine.fingerprint != b.machine.fingerprint) {
    warnings.push_back(
        "the Runs were made on different machines: a ratio compares the "
        "machines too");
  }
  if (a.machine.governor != b.machine.governor) {
    warnings.push_back(
        fmt::format("the CPU frequency governor differs ('{}' against '{}')",
                    a.machine.governor, b.machine.governor));
  }
  if (a.conditions.cpus != b.conditions.cpus ||
      a.conditions.frequency_khz != b.conditions.frequency_khz ||
      a.conditions.threads != b.conditions.threads ||
      a.conditions.cpu_quota_cores != b.conditions.cpu_quota_cores ||
      a.conditions.memory_limit_bytes != b.conditions.memory_limit_bytes ||
      a.conditions.policy != b.conditions.policy ||
      a.conditions.nice != b.conditions.nice) {
    warnings.push_back(
        "the Runs were made under different conditions (cores, clock, threads, "
        "limits or priority)");
  }
  const auto count_failed = [&](std::span<const Run> runs, char side) {
    if (const int64_t failed = CountFailed(runs); failed > 0) {
      warnings.push_back(
          fmt::format("{} of {} of {} failed or were cut short", failed,
                      FormatCount(std::ssize(runs), "Run"), side));
    }
  };
  count_failed(comparison.a, 'A');
  count_failed(comparison.b, 'B');
  if (!comparison.spans.empty() &&
      std::min(comparison.a.size(), comparison.b.size()) < kEnoughRepeats) {
    warnings.push_back(fmt::format(
        "spans are compared within {} of A and {} of B: how Runs vary among "
        "themselves is not covered; --repeat 5, or better `edgewise ab`, "
        "covers it",
        FormatCount(std::ssize(comparison.a), "Run"),
        FormatCount(std::ssize(comparison.b), "Run")));
  }
}

void WarnOfStacks(const std::optional<stacks::StackProfile>& a,
                  const std::optional<stacks::StackProfile>& b,
                  std::vector<std::string>& warnings) {
  if (!a || !b) {
    return;
  }
  warnings.push_back(
      "functions are compared by their samples: intervals hold "
      "the chance of sampling, not how Runs vary among themselves");
  if (a->collection.unit != b->collection.unit ||
      a->collection.event != b->collection.event) {
    warnings.push_back(
        "the stacks of A and B were sampled by different events, and shares of "
        "the one are not shares of the other");
  }
}

Result<RunComparison> CompareSides(const Store& store, std::vector<Run> a,
                                   std::vector<Run> b, Pairing pairing,
                                   const AnalysisDetail& detail) {
  if (a.empty() || b.empty()) {
    return Error{ErrorCode::kInvalid,
                 "a comparison needs at least one Run on each side"};
  }
  RunComparison comparison;
  comparison.interleaved = pairing == Pairing::kPaired;
  comparison.totals = CompareTotals(a, b, pairing);
  auto of_a = PoolSamples(store, a);
  if (!of_a) {
    return of_a.error();
  }
  auto of_b = PoolSamples(store, b);
  if (!of_b) {
    return of_b.error();
  }
  for (const SamplePool& pool : *of_a) {
    if (const SamplePool* other = FindPool(*of_b, pool)) {
      comparison.spans.push_back(CompareSpan(pool, *other, pairing, detail));
    } else {
      comparison.only_in_a.push_back(pool.name);
    }
  }
  for (const SamplePool& pool : *of_b) {
    if (FindPool(*of_a, pool) == nullptr) {
      comparison.only_in_b.push_back(pool.name);
    }
  }
  auto stacks_a = PooledStacks(store, a);
  if (!stacks_a) {
    return stacks_a.error();
  }
  auto stacks_b = PooledStacks(store, b);
  if (!stacks_b) {
    return stacks_b.error();
  }
  if (*stacks_a && *stacks_b) {
    comparison.functions = stacks::CompareFunctions(**stacks_a, **stacks_b);
  }
  comparison.a = std::move(a);
  comparison.b = std::move(b);
  Warn(comparison);
  WarnOfStacks(*stacks_a, *stacks_b, comparison.warnings);
  return comparison;
}

}  // namespace

Result<RunComparison> CompareRuns(const Store& store, const Run& a,
                                  const Run& b, const AnalysisDetail& detail) {
  auto side_a = SideOf(store, a);
  if (!side_a) {
    return side_a.error();
  }
  auto side_b = SideOf(store, b);
  if (!side_b) {
    return side_b.error();
  }
  const bool one_comparison = !a.group.empty() && a.group == b.group;
  if (one_comparison && a.group_role == b.group_role) {
    // Two repeats of one command: each stands for itself.
    return CompareSides(store, {a}, {b}, Pairing::kIndependent, detail);
  }
  const bool in_turns = one_comparison && side_a->size() == side_b->size();
  return CompareSides(store, std::move(*side_a), std::move(*side_b),
                      in_turns ? Pairing::kPaired : Pairing::kIndependent,
                      detail);
}

Result<RunComparison> CompareSets(const Store& store, std::span<const Run> a,
                                  std::span<const Run> b) {
  return CompareSides(store, {a.begin(), a.end()}, {b.begin(), b.end()},
                      Pairing::kIndependent, kPlainDetail);
}

Result<RunComparison> CompareInterleaved(const Store& store,
                                         std::span<const Run> a,
                                         std::span<const Run> b) {
  return CompareSides(
      store, {a.begin(), a.end()}, {b.begin(), b.end()},
      a.size() == b.size() ? Pairing::kPaired : Pairing::kIndependent,
      kPlainDetail);
}

bool AnySlower(const RunComparison& comparison) {
  const auto slower = [](const Comparison& ratio) {
    return ratio.verdict == stats::Verdict::kSlower;
  };
  for (const TotalFigure& figure : TotalFigures()) {
    for (const TotalComparison& total : comparison.totals) {
      if (figure.decides && total.name == figure.name && slower(total.ratio)) {
        return true;
      }
    }
  }
  return std::any_of(comparison.spans.begin(), comparison.spans.end(),
                     [&](const SpanComparison& span) {
                       return slower(span.mean) || slower(span.median) ||
                              slower(span.p99);
                     });
}

}  // namespace edgewise
