#include "report/stress_text.h"

#include "base/units.h"
#include "report/figures.h"
#include "report/json_writer.h"
#include "report/paragraphs.h"

namespace edgewise {
namespace {

std::string Amount(const StressFigure& figure, double value) {
  if (figure.unit == "bytes") {
    return FormatBytes(value);
  }
  if (figure.unit == "bytes/s") {
    return FormatBytes(value) + "/s";
  }
  if (figure.unit == "1/s") {
    return ScaledText(value) + "/s";
  }
  return Figure(value) + " " + figure.unit;
}

}  // namespace

std::string StressText(const StressSpec& spec, const StressOutcome& outcome,
                       const TextStyle& style) {
  std::string text = Tint(FormatStressSpec(spec), Tone::kStrong, style) + "  ";
  text += outcome.applied ? Tint("applied", Tone::kGood, style)
                          : Tint("not reached", Tone::kBad, style);
  text += "\n";
  if (!outcome.reason.empty()) {
    text += WrappedText("  ", outcome.reason, style);
  }
  Table table;
  table.columns = {{"", false}, {"applied"}, {"asked"}};
  for (const StressFigure& figure : outcome.figures) {
    table.rows.push_back({{figure.name},
                          {Amount(figure, figure.applied)},
                          {figure.asked ? Amount(figure, *figure.asked) : ""}});
  }
  return text + TextTable(table, style, 2);
}

std::string StressJson(const StressSpec& spec, const StressOutcome& outcome) {
  JsonArray figures;
  for (const StressFigure& figure : outcome.figures) {
    figures.Add(JsonObject()
                    .AddString("name", figure.name)
                    .AddString("unit", figure.unit)
                    .AddNumber("asked", figure.asked)
                    .AddNumber("applied", figure.applied)
                    .text());
  }
  return JsonObject()
             .AddString("stressor", StressKindName(spec.kind))
             .AddNumber("dial_percent", spec.dial_percent)
             .Add("applied", outcome.applied ? "true" : "false")
             .AddString("reason", outcome.reason)
             .Add("figures", figures.text())
             .text() +
         "\n";
}

}  // namespace edgewise
