#include "report/contend_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/contend_matrix.h"
#include "report/figures.h"
#include "report/paragraphs.h"

namespace edgewise {
namespace {

std::string Milliseconds(const std::optional<stats::Estimate>& ns) {
  return ns ? Figure(ns->value / 1e6) : std::string(kUnknown);
}

// "12.3 (12.1–12.6)".
std::string WithInterval(const std::optional<stats::Estimate>& ns) {
  if (!ns) {
    return std::string(kUnknown);
  }
  return Figure(ns->value / 1e6) + (ns->sufficient()
                                        ? " (" + Figure(*ns->low / 1e6) + "–" +
                                              Figure(*ns->high / 1e6) + ")"
                                        : " (insufficient samples)");
}

Cell RatioCell(const stats::Comparison& comparison) {
  if (!comparison.ratio) {
    return {std::string(kUnknown)};
  }
  Cell cell{fmt::format("{:.2f}", *comparison.ratio)};
  if (comparison.low && comparison.high) {
    cell.text +=
        fmt::format(" ({:.2f}–{:.2f})", *comparison.low, *comparison.high);
  } else {
    cell.text += " (insufficient samples)";
  }
  if (comparison.verdict == stats::Verdict::kSlower) {
    cell.tone = Tone::kBad;
  }
  return cell;
}

std::string Percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f}%", 100 * *share) : std::string(kUnknown);
}

std::string AppsText(const ContendReport& report, const TextStyle& style) {
  Table table;
  table.columns = {{"alone", false}, {"item", false},  {"p50 ms"},
                   {"p95 ms"},       {"cores wanted"}, {"runs"}};
  for (const ContendApp& app : report.apps) {
    table.rows.push_back(
        {{app.name, Tone::kStrong},
         {app.span.empty() ? "whole program" : app.span},
         {WithInterval(app.alone.p50_ns)},
         {WithInterval(app.alone.p95_ns)},
         {app.cores_alone ? Figure(*app.cores_alone) : std::string(kUnknown)},
         {std::to_string(app.alone.runs.size())}});
  }
  return TextTable(table, style, 2);
}

std::string SlowDownsText(const ContendReport& report, const TextStyle& style) {
  Table table;
  table.columns = {
      {"app", false}, {"beside", false}, {"p50 ms"}, {"p50 ×"}, {"p95 ×"}};
  for (const ContendApp& app : report.apps) {
    std::vector<const SlowDown*> sorted;
    for (const SlowDown& each : report.slow_downs) {
      if (each.actor == app.name) {
        sorted.push_back(&each);
      }
    }
    std::stable_sort(
        sorted.begin(), sorted.end(), [](const SlowDown* a, const SlowDown* b) {
          return NeighbourOrder(a->beside.front(), b->beside.front());
        });
    for (const SlowDown* each : sorted) {
      table.rows.push_back({{each->actor},
                            {Join(each->beside, " + ")},
                            {Milliseconds(each->contended.p50_ns)},
                            RatioCell(each->p50),
                            RatioCell(each->p95)});
    }
  }
  return TextTable(table, style, 2);
}

std::vector<std::string> Failures(const ContendReport& report) {
  std::vector<std::string> failures;
  for (const ContendApp& app : report.apps) {
    if (!app.failure.empty()) {
      failures.push_back(app.name + " alone: " + app.failure);
    }
  }
  for (const SlowDown& each : report.slow_downs) {
    if (!each.failure.empty()) {
      failures.push_back(DeploymentText(each.actor, each.beside) + ": " +
                         each.failure);
    }
  }
  return failures;
}

std::string PressureText(const ContendReport& report, const TextStyle& style) {
  Table table;
  table.columns = {{"own pressure", false}, {"cpu"}};
  for (const StressKind kind : kProbedKinds) {
    table.columns.push_back({std::string(StressKindName(kind))});
  }
  for (const ContendApp& app : report.apps) {
    if (!app.pressure) {
      continue;
    }
    std::vector<Cell> row{{app.name},
                          {fmt::format("{:.0f}%", app.pressure->cpu_percent)}};
    for (const double dial : app.pressure->dial_percent) {
      row.push_back({fmt::format("{:.0f}%", dial)});
    }
    table.rows.push_back(std::move(row));
  }
  std::string text = TextTable(table, style, 2);
  if (!text.empty()) {
    text += WrappedText(
        "  ", "as the dial of the stressor that a probe could not tell from it",
        style);
  }
  return text;
}

std::string CheckText(const PredictionCheck& check, const TextStyle& style) {
  Table table;
  table.columns = {{"app", false},
                   {"beside", false},
                   {"predicted"},
                   {"measured"},
                   {"error"}};
  const auto times = [](const std::optional<double>& ratio) {
    return ratio ? fmt::format("{:.2f}×", *ratio) : std::string(kUnknown);
  };
  for (const PairPrediction& pair : check.pairs) {
    table.rows.push_back({{pair.app},
                          {pair.beside},
                          {times(pair.predicted)},
                          {times(pair.measured)},
                          {Percent(pair.error)}});
  }
  return TextTable(table, style, 2) +
         WrappedText(
             "  ",
             fmt::format("median error {} against a bar of {}; two "
                         "measurements of one pair differ by {}: {}",
                         Percent(check.median_error), Percent(check.bar),
                         Percent(check.median_noise),
                         check.passed ? "good enough to plan with"
                                      : "not good enough to plan with"),
             style);
}

}  // namespace

std::string ContendText(const ContendReport& report, const TextStyle& style) {
  std::string text = WrappedPieces(
      "",
      {"contend " + std::string(ContendModeName(report.mode)),
       fmt::format("{} shared", report.cores == 1
                                    ? "1 core"
                                    : std::to_string(report.cores) + " cores"),
       "seed " + std::to_string(report.seed), "group " + report.group},
      style);
  AppendBlock(&text, AppsText(report, style));
  AppendBlock(&text, SlowDownsText(report, style));
  AppendBlock(&text, ItemLines("failed", Failures(report), Tone::kBad, style));
  AppendBlock(&text, MatrixText(MatrixOf(report), style));
  AppendBlock(&text, PressureText(report, style));
  if (report.check) {
    AppendBlock(&text, CheckText(*report.check, style));
  }
  AppendBlock(&text, ItemLines("advice", report.advice, Tone::kStrong, style));
  AppendBlock(&text,
              ItemLines("warnings", report.warnings, Tone::kWarning, style));
  return text;
}

}  // namespace edgewise
