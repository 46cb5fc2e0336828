#include "report/history_text.h"

#include <fmt/format.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "report/figures.h"
#include "report/function_tables.h"
#include "report/history_tables.h"
#include "report/paragraphs.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

constexpr size_t kMostFunctions = 10;

std::string LineText(const HistoryLine& line, const TextStyle& style) {
  std::string text = Tint(LineTitle(line), Tone::kStrong, style) + "\n" +
                     TextTable(FootprintTable(line), style);
  AppendBlock(&text, TextTable(TailTable(line), style));
  const Table worse = ChangeTable(line, /*worse=*/true);
  if (!worse.rows.empty()) {
    AppendBlock(&text, Tint("regressions", Tone::kBad, style) + "\n" +
                           TextTable(worse, style));
  }
  const Table better = ChangeTable(line, /*worse=*/false);
  if (!better.rows.empty()) {
    AppendBlock(&text, Tint("better", Tone::kGood, style) + "\n" +
                           TextTable(better, style));
  }
  AppendBlock(&text, WrappedText(worse.rows.empty() && line.compared > 0
                                     ? "no regression shown: "
                                     : "",
                                 ComparedText(line), style));
  AppendBlock(&text, TextTable(ResourceTable(line.resources), style));
  if (!line.resources.doubt.empty()) {
    text += WrappedText("", line.resources.doubt, style);
  }
  return text;
}

}  // namespace

std::string HistoryText(const History& history, const TextStyle& style) {
  std::string text =
      WrappedText(Tint(Printable(history.app), Tone::kStrong, style) + ": ",
                  HistorySummary(history), style);
  if (history.worst_memory) {
    text += WrappedText(
        "worst-case memory: ", WorstMemoryText(*history.worst_memory), style);
  }
  for (const HistoryLine& line : history.lines) {
    AppendBlock(&text, LineText(line, style));
  }
  if (history.functions) {
    AppendBlock(&text,
                WrappedText("most expensive functions of version " +
                                VersionText(history.functions_version) + ": ",
                            SampledText(*history.functions), style) +
                    TextTable(FunctionTable(*history.functions, kMostFunctions,
                                            style.width),
                              style));
  }
  std::vector<std::string> warnings;
  for (const std::string& warning : history.warnings) {
    warnings.push_back(Printable(warning));
  }
  AppendBlock(&text, ItemLines("warnings", warnings, Tone::kWarning, style));
  return style.unicode ? text : ToAscii(text);
}

std::string KnownAppsText(const std::vector<KnownApp>& apps,
                          const TextStyle& style) {
  if (apps.empty()) {
    return "No runs here yet; make one with: edgewise run -- COMMAND\n";
  }
  Table table{{{"app", false, true},
               {"Runs"},
               {"versions", false, true},
               {"last (UTC)", false}},
              {}};
  for (const KnownApp& app : apps) {
    std::vector<std::string> versions;
    for (const std::string& version : app.versions) {
      versions.push_back(VersionText(version));
    }
    table.rows.push_back(
        {{Printable(app.app)},
         {FormatCount(app.runs)},
         {versions.empty() ? std::string(kUnknown) : Join(versions, ", ")},
         {FormatUtc(app.last_utc_ns).substr(0, 10)}});
  }
  const std::string text = TextTable(table, style);
  return style.unicode ? text : ToAscii(text);
}

}  // namespace edgewise
