#include "report/list_text.h"

#include "base/clock.h"
#include "report/figures.h"
#include "report/outcome.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

// "2026-11-15 08:29", or without the year where there is little room.
std::string Minute(int64_t utc_ns, bool with_year) {
  std::string text = FormatUtc(utc_ns).substr(0, 16);
  if (const size_t at = text.find('T'); at != std::string::npos) {
    text[at] = ' ';
  }
  return with_year || text.size() < 5 ? text : text.substr(5);
}

// "baseline a#3": the label, and the place in a group.
std::string LabelText(const Run& run) {
  std::string text = Printable(run.label);
  if (!run.group.empty()) {
    text += (text.empty() ? "" : " ") + run.group_role + "#" +
            std::to_string(run.repeat_index + 1);
  }
  return text;
}

std::string CpuPercentText(const Totals& totals) {
  if (!totals.wall_s || !totals.cpu_user_s || !totals.cpu_system_s ||
      *totals.wall_s <= 0) {
    return std::string(kUnknown);
  }
  return PercentText((*totals.cpu_user_s + *totals.cpu_system_s) /
                     *totals.wall_s * 100);
}

}  // namespace

std::string ListText(const std::vector<Run>& runs, const TextStyle& style) {
  if (runs.empty()) {
    return "No runs here yet; make one with: edgewise run -- COMMAND\n";
  }
  const bool roomy = style.width >= 100;
  Table table{{{"id", false},
               {roomy ? "started (UTC)" : "UTC", false},
               {"label", false, true},
               {"wall"},
               {"CPU"},
               {"max RSS"},
               {"ended", false},
               {"command", false, true}},
              {}};
  for (const Run& run : runs) {
    const Outcome outcome = OutcomeOf(run);
    table.rows.push_back({{run.id},
                          {Minute(run.started_utc_ns, roomy)},
                          {LabelText(run)},
                          {SecondsText(run.totals.wall_s)},
                          {CpuPercentText(run.totals)},
                          {BytesText(run.totals.max_rss_bytes)},
                          {outcome.word, outcome.tone},
                          {CommandText(run)}});
  }
  return TextTable(table, style);
}

}  // namespace edgewise
