#include "report/curve_text.h"

#include "base/text.h"
#include "base/units.h"
#include "report/curve_tables.h"
#include "report/paragraphs.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

std::string Titled(const std::string& title, const Table& table,
                   const TextStyle& style) {
  const std::string text = TextTable(table, style, 2);
  return text.empty() ? text : Tint(title, Tone::kDim, style) + "\n" + text;
}

}  // namespace

std::string CurveText(const Curve& curve, const TextStyle& style) {
  std::string text = Tint("sweep " + curve.group, Tone::kStrong, style) + "\n";
  text += WrappedText("  ", Printable(ShellQuote(curve.command)), style);
  std::vector<std::string> facts{FormatCount(std::ssize(curve.points), "point"),
                                 curve.span.empty()
                                     ? "item: the whole program"
                                     : "item: " + Printable(curve.span)};
  if (!curve.machine.empty()) {
    facts.push_back(Printable(curve.machine));
  }
  text += WrappedPieces("  ", facts, style);
  AppendBlock(&text, TextTable(CurveFigureTable(curve, kItemFigures), style));
  AppendBlock(&text,
              TextTable(CurveFigureTable(curve, kResourceFigures), style));
  AppendBlock(&text, Titled("what more buys", SpeedUpTable(curve), style));
  AppendBlock(&text, Titled("side by side", ValueTable(curve), style));
  AppendBlock(&text, Titled("fitted laws", LawTable(curve), style));
  AppendBlock(&text, ItemLines("advice", curve.advice, Tone::kStrong, style));
  std::vector<std::string> notes = curve.notes;
  for (const CurveLaw& law : curve.laws) {
    if (!law.reason.empty()) {
      notes.push_back(law.reason);
      break;
    }
  }
  if (const std::string claim = TailClaimNote(curve); !claim.empty()) {
    notes.push_back(claim);
  }
  AppendBlock(&text, ItemLines("notes", notes, Tone::kWarning, style));
  return text;
}

}  // namespace edgewise
