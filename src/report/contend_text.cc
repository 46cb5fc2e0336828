#include "report/contend_text.h"

#include <fmt/format.h>

#include "report/contend_matrix.h"
#include "report/contend_tables.h"
#include "report/paragraphs.h"

namespace edgewise {
namespace {

// A table with a sentence under it; nothing without rows.
std::string WithNote(const Table& table, std::string_view note,
                     const TextStyle& style) {
  const std::string text = TextTable(table, style, 2);
  return text.empty() ? text : text + WrappedText("  ", note, style);
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
  AppendBlock(&text, TextTable(AloneTable(report), style, 2));
  AppendBlock(&text, TextTable(SlowDownTable(report), style, 2));
  AppendBlock(&text,
              ItemLines("failed", ContendFailures(report), Tone::kBad, style));
  AppendBlock(&text, MatrixText(MatrixOf(report), style));
  AppendBlock(&text, WithNote(PressureTable(report), kPressureNote, style));
  if (report.check) {
    AppendBlock(&text, WithNote(CheckTable(*report.check),
                                CheckVerdict(*report.check), style));
  }
  AppendBlock(&text, ItemLines("advice", report.advice, Tone::kStrong, style));
  AppendBlock(&text,
              ItemLines("warnings", report.warnings, Tone::kWarning, style));
  return text;
}

}  // namespace edgewise
