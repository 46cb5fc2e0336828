#include "history/version_changes.h"

#include <algorithm>
#include <string_view>

#include "store/compare_spans.h"
#include "store/totals.h"

namespace edgewise {
namespace {

bool Decides(std::string_view name) {
  const auto totals = TotalFigures();
  return std::any_of(totals.begin(), totals.end(), [name](const auto& total) {
    return total.decides && total.name == name;
  });
}

void Take(VersionChange change, HistoryLine& line) {
  switch (change.ratio.verdict) {
    case stats::Verdict::kSlower:
    case stats::Verdict::kFaster:
      line.changes.push_back(std::move(change));
      break;
    case stats::Verdict::kInsufficient:
      // Where a side has no figure at all, or 0, there is nothing to compare.
      if (!change.ratio.ratio) {
        return;
      }
      ++line.insufficient;
      break;
    case stats::Verdict::kNoDifference:
      break;
  }
  ++line.compared;
}

void TakeAll(const RunComparison& comparison, const VersionProfile& from,
             const VersionProfile& to, HistoryLine& line) {
  for (const TotalComparison& total : comparison.totals) {
    if (Decides(total.name)) {
      Take({from.version, to.version, total.name, total.unit, total.a, total.b,
            total.ratio},
           line);
    }
  }
  const bool within_runs =
      std::min(from.runs.size(), to.runs.size()) < kEnoughRepeats;
  for (const SpanComparison& span : comparison.spans) {
    const auto take = [&](const char* figure, const ComparedFigures& ns,
                          const stats::Comparison& ratio) {
      Take({from.version, to.version, span.name + " " + figure, "ns", ns.a,
            ns.b, ratio, within_runs},
           line);
    };
    take("mean", span.mean_ns, span.mean);
    take("p50", span.median_ns, span.median);
    take("p99", span.p99_ns, span.p99);
  }
}

}  // namespace

bool IsRegression(const VersionChange& change) {
  return change.ratio.verdict == stats::Verdict::kSlower;
}

Result<void> CompareVersions(const Store& store, HistoryLine& line) {
  for (size_t i = 1; i < line.versions.size(); ++i) {
    const VersionProfile& from = line.versions[i - 1];
    const VersionProfile& to = line.versions[i];
    const auto comparison = CompareSets(store, from.runs, to.runs);
    if (!comparison) {
      return comparison.error();
    }
    TakeAll(*comparison, from, to, line);
  }
  return {};
}

}  // namespace edgewise
