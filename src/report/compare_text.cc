#include "report/compare_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/units.h"
#include "report/figures.h"
#include "report/function_tables.h"
#include "report/outcome.h"
#include "report/paragraphs.h"
#include "report/total_names.h"
#include "report/utf8.h"
#include "store/totals.h"

namespace edgewise {
namespace {

constexpr size_t kMostFunctions = 15;

bool Decides(const std::string& name) {
  const auto totals = TotalFigures();
  const auto found = std::find_if(
      totals.begin(), totals.end(),
      [&name](const TotalFigure& total) { return total.name == name; });
  return found != totals.end() && found->decides;
}

// Whether there is anything to compare: a side that is known and not 0.
bool HasRatio(const TotalComparison& total) {
  return total.a.value_or(0) != 0 || total.b.value_or(0) != 0;
}

std::vector<Cell> RatioCells(const stats::Comparison& comparison) {
  return {
      {comparison.ratio ? Figure(*comparison.ratio) : std::string(kUnknown)},
      {comparison.low && comparison.high
           ? fmt::format("{}–{}", Figure(*comparison.low),
                         Figure(*comparison.high))
           : std::string(kUnknown)}};
}

std::string DurationText(std::optional<double> ns) {
  return ns ? FormatDuration(*ns) : std::string(kUnknown);
}

void AddRow(std::string what, std::string a, std::string b,
            const stats::Comparison& ratio, Cell verdict, Table* table) {
  std::vector<Cell> row{{std::move(what)}, {std::move(a)}, {std::move(b)}};
  for (Cell& cell : RatioCells(ratio)) {
    row.push_back(std::move(cell));
  }
  row.push_back(std::move(verdict));
  table->rows.push_back(std::move(row));
}

void AddSpanRow(const SpanComparison& span, std::string_view statistic,
                const ComparedFigures& ns, const stats::Comparison& ratio,
                Table* table) {
  AddRow(fmt::format("{} {}", Printable(span.name), statistic),
         DurationText(ns.a), DurationText(ns.b), ratio,
         VerdictCell(ratio.verdict, "s", /*decides=*/true), table);
}

std::string SideText(std::string_view name, const std::vector<Run>& runs,
                     const TextStyle& style) {
  if (runs.empty()) {
    return "";
  }
  const Run& first = runs.front();
  std::string text = CommandText(first);
  if (!first.label.empty()) {
    text = Printable(first.label) + ": " + text;
  }
  text += runs.size() == 1
              ? fmt::format("  ({})", first.id)
              : fmt::format("  ({} runs, {} and on)", runs.size(), first.id);
  return WrappedText(std::string(name) + "  ", text, style);
}

// Why verdicts are missing, once each.
std::vector<std::string> Reasons(const RunComparison& comparison) {
  std::vector<std::string> reasons;
  const auto add = [&reasons](const stats::Comparison& ratio) {
    const std::string reason = Printable(ratio.reason);
    if (ratio.verdict == stats::Verdict::kInsufficient && !reason.empty() &&
        std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) {
      reasons.push_back(reason);
    }
  };
  for (const TotalComparison& total : comparison.totals) {
    if (HasRatio(total)) {
      add(total.ratio);
    }
  }
  for (const SpanComparison& span : comparison.spans) {
    add(span.mean);
    add(span.median);
    add(span.p99);
  }
  return reasons;
}

std::string OnlyIn(std::string_view side, const std::vector<std::string>& names,
                   const TextStyle& style) {
  std::vector<std::string> printable;
  for (const std::string& name : names) {
    printable.push_back(Printable(name));
  }
  return names.empty() ? ""
                       : WrappedText(fmt::format("only in {}: ", side),
                                     Join(printable, ", "), style);
}

}  // namespace

Table CompareTable(const RunComparison& comparison) {
  Table table{{{"", false, true},
               {"A"},
               {"B"},
               {"B/A"},
               {"95% interval"},
               {"B is", false}},
              {}};
  for (const TotalComparison& total : comparison.totals) {
    if (!HasRatio(total)) {
      continue;
    }
    AddRow(TotalTitle(total.name, total.unit),
           TotalValueText(total.a, total.unit),
           TotalValueText(total.b, total.unit), total.ratio,
           VerdictCell(total.ratio.verdict, total.unit, Decides(total.name)),
           &table);
  }
  for (const SpanComparison& span : comparison.spans) {
    AddSpanRow(span, "mean", span.mean_ns, span.mean, &table);
    AddSpanRow(span, "p50", span.median_ns, span.median, &table);
    AddSpanRow(span, "p99", span.p99_ns, span.p99, &table);
  }
  return table;
}

std::string CompareText(const RunComparison& comparison,
                        const TextStyle& style) {
  std::string text = SideText("A", comparison.a, style);
  text += SideText("B", comparison.b, style);
  if (comparison.interleaved) {
    text += "   run in turns, so that both saw the same machine\n";
  }
  if (std::max(comparison.a.size(), comparison.b.size()) > 1) {
    text +=
        WrappedText("   ",
                    "totals of several runs (from five a side on spans too) "
                    "are geometric means, and B/A is their ratio",
                    style);
  }
  AppendBlock(&text, TextTable(CompareTable(comparison), style));
  AppendBlock(&text, TextTable(FunctionChangeTable(comparison.functions,
                                                   kMostFunctions, style.width),
                               style));
  AppendBlock(&text, OnlyIn("A", comparison.only_in_a, style) +
                         OnlyIn("B", comparison.only_in_b, style));
  AppendBlock(&text, ItemLines("insufficient samples", Reasons(comparison),
                               Tone::kDim, style));
  std::vector<std::string> warnings;
  for (const std::string& warning : comparison.warnings) {
    warnings.push_back(Printable(warning));
  }
  AppendBlock(&text, ItemLines("warnings", warnings, Tone::kWarning, style));
  return style.unicode ? text : ToAscii(text);
}

}  // namespace edgewise
