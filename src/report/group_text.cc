#include "report/group_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/units.h"
#include "report/figures.h"
#include "report/outcome.h"
#include "report/paragraphs.h"
#include "report/run_text.h"
#include "report/total_names.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

// "4 ok · 1 exit 3", in the order of first occurrence.
std::string EndsText(std::span<const Run> runs) {
  std::vector<std::pair<std::string, int>> ends;
  for (const Run& run : runs) {
    const std::string word = OutcomeOf(run).word;
    auto found =
        std::find_if(ends.begin(), ends.end(),
                     [&word](const auto& end) { return end.first == word; });
    if (found == ends.end()) {
      found = ends.insert(ends.end(), {word, 0});
    }
    ++found->second;
  }
  std::vector<std::string> parts;
  for (const auto& [word, count] : ends) {
    parts.push_back(fmt::format("{} {}", count, word));
  }
  return Join(parts, " · ");
}

std::vector<std::string> Commands(std::span<const Run> runs) {
  std::vector<std::string> commands;
  for (const Run& run : runs) {
    std::string command = CommandText(run);
    if (std::find(commands.begin(), commands.end(), command) ==
        commands.end()) {
      commands.push_back(std::move(command));
    }
  }
  return commands;
}

Table FigureTable(const GroupAnalysis& analysis) {
  Table table{{{"", false, true},
               {"mean"},
               {"95% interval"},
               {"stddev"},
               {"min"},
               {"max"},
               {"runs"}},
              {}};
  for (const RepeatFigure& figure : analysis.figures) {
    const auto text = [&figure](std::optional<double> value) {
      return TotalValueText(value, figure.unit);
    };
    table.rows.push_back({{TotalTitle(figure.name, figure.unit)},
                          {text(figure.mean)},
                          {figure.low && figure.high
                               ? text(figure.low) + " – " + text(figure.high)
                               : std::string(kUnknown)},
                          {text(figure.stddev)},
                          {text(figure.min)},
                          {text(figure.max)},
                          {std::to_string(figure.count)}});
  }
  return table;
}

// Whether an interval would have reached below what the figure can be.
bool AnyCutOffAtZero(const GroupAnalysis& analysis) {
  return std::any_of(analysis.figures.begin(), analysis.figures.end(),
                     [](const RepeatFigure& figure) {
                       return figure.low == 0.0 && figure.mean > 0;
                     });
}

}  // namespace

std::string GroupText(std::span<const Run> runs, const GroupAnalysis& analysis,
                      const TextStyle& style) {
  if (runs.empty()) {
    return "";
  }
  const Run& first = runs.front();
  std::string head = FormatCount(std::ssize(runs), "run");
  if (!first.group.empty()) {
    head += " of group " + first.group;
  }
  std::string text = Tint(head, Tone::kStrong, style);
  text += first.label.empty() ? "\n" : "  " + Printable(first.label) + "\n";
  for (const std::string& command : Commands(runs)) {
    text += WrappedText("  ", command, style);
  }
  text += "  ended: " + EndsText(runs) + "\n\n";
  text += TextTable(FigureTable(analysis), style);
  if (AnyCutOffAtZero(analysis)) {
    text += WrappedText("  ",
                        "intervals from 0 on are cut off there: no figure is "
                        "negative, and the repeats vary too much",
                        style);
  }
  AppendBlock(&text, SpansText(analysis.spans, style));
  std::vector<std::string> warnings;
  for (const std::string& warning : analysis.warnings) {
    warnings.push_back(Printable(warning));
  }
  AppendBlock(&text, ItemLines("warnings", warnings, Tone::kWarning, style));
  AppendBlock(&text, "next  edgewise show " + first.id + "\n");
  return style.unicode ? text : ToAscii(text);
}

}  // namespace edgewise
