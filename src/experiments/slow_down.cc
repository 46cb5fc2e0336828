#include "experiments/slow_down.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "stats/summary.h"

namespace edgewise {
namespace {

constexpr size_t kRepeatsForInterval = 5;

std::optional<double> QuantileOf(std::vector<double> values, double p) {
  if (values.empty()) {
    return std::nullopt;
  }
  std::sort(values.begin(), values.end());
  return stats::EstimateQuantile(values, p).value;
}

ItemFigures FiguresOf(const std::vector<double>& items_ns) {
  ItemFigures figures;
  if (!items_ns.empty()) {
    const stats::SpanSummary summary = stats::Summarise(items_ns);
    figures.p50_ns = summary.p50;
    figures.p95_ns = summary.p95;
  }
  return figures;
}

// The baselines of the actor just before and just after a step.
std::vector<const Observation*> BaselinesAround(
    const std::vector<Observation>& all, const std::string& actor,
    size_t step) {
  const Observation* before = nullptr;
  const Observation* after = nullptr;
  for (const Observation& seen : all) {
    if (seen.actor != actor || !seen.baseline() || !seen.failure.empty()) {
      continue;
    }
    if (seen.step < step) {
      before = &seen;
    } else if (after == nullptr) {
      after = &seen;
    }
  }
  std::vector<const Observation*> around;
  for (const Observation* each : {before, after}) {
    if (each != nullptr) {
      around.push_back(each);
    }
  }
  return around;
}

// Geometric mean of a quantile over Runs that stand for the same thing.
double MeanQuantile(const std::vector<const Observation*>& runs, double p) {
  double logs = 0;
  for (const Observation* run : runs) {
    logs += std::log(*QuantileOf(run->wall_ns, p));
  }
  return std::exp(logs / static_cast<double>(runs.size()));
}

void AddItems(const std::vector<double>& more, std::vector<double>& items,
              double scale = 1) {
  for (const double item : more) {
    items.push_back(item * scale);
  }
}

}  // namespace

ItemFigures BaselineOf(const std::vector<Observation>& all,
                       const std::string& actor) {
  std::vector<double> items_ns;
  std::vector<std::string> runs;
  for (const Observation& seen : all) {
    if (seen.actor == actor && seen.baseline() && seen.failure.empty()) {
      AddItems(seen.wall_ns, items_ns);
      runs.push_back(seen.run_id);
    }
  }
  ItemFigures figures = FiguresOf(items_ns);
  figures.runs = std::move(runs);
  return figures;
}

std::optional<double> CoresAlone(const std::vector<Observation>& all,
                                 const std::string& actor) {
  std::vector<double> cores;
  for (const Observation& seen : all) {
    if (seen.actor == actor && seen.baseline() && seen.cores_wanted) {
      cores.push_back(*seen.cores_wanted);
    }
  }
  return QuantileOf(std::move(cores), 0.5);
}

SlowDown SlowDownOf(const std::vector<Observation>& all,
                    const std::string& actor,
                    const std::vector<std::string>& beside) {
  SlowDown slow_down{actor, beside, {}, {}, {}, {}, {}};
  std::vector<double> items_ns;
  // In units of the baselines around them, so that drift from one repeat to
  // the next does not look like spread.
  std::vector<double> items;
  std::vector<double> baseline_items;
  std::set<const Observation*> baselines;
  std::vector<std::string> runs;
  std::vector<double> contended_p50s, baseline_p50s;
  std::vector<double> contended_p95s, baseline_p95s;
  for (const Observation& seen : all) {
    if (seen.actor != actor || seen.beside != beside) {
      continue;
    }
    if (!seen.failure.empty()) {
      slow_down.failure = seen.failure;
      continue;
    }
    const auto around = BaselinesAround(all, actor, seen.step);
    if (around.empty()) {
      slow_down.failure = actor + " was never measured alone";
      continue;
    }
    AddItems(seen.wall_ns, items_ns);
    runs.push_back(seen.run_id);
    const double unit_ns = MeanQuantile(around, 0.5);
    AddItems(seen.wall_ns, items, 1 / unit_ns);
    for (const Observation* baseline : around) {
      if (baselines.insert(baseline).second) {
        AddItems(baseline->wall_ns, baseline_items, 1 / unit_ns);
      }
    }
    contended_p50s.push_back(*QuantileOf(seen.wall_ns, 0.5));
    contended_p95s.push_back(*QuantileOf(seen.wall_ns, 0.95));
    baseline_p50s.push_back(unit_ns);
    baseline_p95s.push_back(MeanQuantile(around, 0.95));
    slow_down.p50_ratios.push_back(contended_p50s.back() /
                                   baseline_p50s.back());
  }
  slow_down.contended = FiguresOf(items_ns);
  slow_down.contended.runs = std::move(runs);
  if (contended_p50s.size() >= kRepeatsForInterval) {
    slow_down.p50 = stats::CompareRepeats(baseline_p50s, contended_p50s,
                                          stats::Pairing::kPaired);
    slow_down.p95 = stats::CompareRepeats(baseline_p95s, contended_p95s,
                                          stats::Pairing::kPaired);
  } else if (!items.empty()) {
    stats::SpanComparisonOptions options;
    slow_down.p50 = stats::CompareSpans(baseline_items, items, options);
    options.statistic = stats::Statistic::kQuantile;
    options.quantile = 0.95;
    slow_down.p95 = stats::CompareSpans(baseline_items, items, options);
  }
  return slow_down;
}

std::vector<SlowDown> AllSlowDowns(const std::vector<Observation>& all) {
  std::vector<SlowDown> slow_downs;
  std::set<std::pair<std::string, std::vector<std::string>>> known;
  for (const Observation& seen : all) {
    if (seen.baseline() || !known.insert({seen.actor, seen.beside}).second) {
      continue;
    }
    const bool has_baseline =
        std::any_of(all.begin(), all.end(), [&seen](const Observation& other) {
          return other.baseline() && other.actor == seen.actor;
        });
    if (has_baseline) {
      slow_downs.push_back(SlowDownOf(all, seen.actor, seen.beside));
    }
  }
  return slow_downs;
}

}  // namespace edgewise
