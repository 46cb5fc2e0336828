#include "report/placement_text.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
#include "base/units.h"
#include "report/figures.h"
#include "report/json_writer.h"
#include "report/paragraphs.h"

namespace edgewise {
namespace {

std::string Time(double ms) { return FormatDuration(ms * 1e6); }

// A predicted time, and by what factor it is off.
std::string Against(double predicted_ms, double measured_ms) {
  return fmt::format("{} (×{:.2f})", Time(predicted_ms),
                     predicted_ms / measured_ms);
}

Table ChecksTable(const std::vector<PlacementCheck>& checks) {
  Table table;
  table.columns = {{"network", false, true},
                   {"measured"},
                   {"by spec alone"},
                   {"calibrated by the others"}};
  for (const PlacementCheck& check : checks) {
    table.rows.push_back({{check.network},
                          {Time(check.measured_ms)},
                          {Against(check.by_spec_ms, check.measured_ms)},
                          {Against(check.calibrated_ms, check.measured_ms)}});
  }
  return table;
}

}  // namespace

std::string PlacementText(const LatencyModel& model, const Placement& placement,
                          const std::vector<PlacementCheck>& checks,
                          const TextStyle& style) {
  const auto& width = model.widths[static_cast<size_t>(Basis::kCalibrated)];
  const auto& blind = model.widths[static_cast<size_t>(Basis::kSpecOnly)];
  std::string words =
      "placed by " +
      FormatCount(static_cast<int64_t>(placement.used.size()), "network") +
      " (" + Join(placement.used, ", ") + "); its rates are nearest to those " +
      "of " + placement.nearest_device + ".";
  if (width && blind) {
    words += fmt::format(
        " Nine of ten times of known networks are within ×{:.2f}–{:.2f} of the "
        "prediction; by its spec alone, ×{:.2f}–{:.2f}.",
        std::exp(-width->below), std::exp(width->above),
        std::exp(-blind->below), std::exp(blind->above));
  }
  if (!placement.ignored.empty()) {
    words += " Not known to the model, and not used: " +
             Join(placement.ignored, ", ") + ".";
  }
  std::string text = WrappedText(placement.run.device + ": ", words, style);
  if (!checks.empty()) {
    AppendBlock(&text, TextTable(ChecksTable(checks), style));
    text += Tint("Each was predicted without its own measurement.", Tone::kDim,
                 style) +
            "\n";
  }
  return text;
}

std::string PlacementJson(const Placement& placement,
                          const std::vector<PlacementCheck>& checks) {
  JsonArray list;
  for (const PlacementCheck& check : checks) {
    list.Add(JsonObject()
                 .AddString("network", check.network)
                 .AddNumber("measured_ms", check.measured_ms)
                 .AddNumber("by_spec_ms", check.by_spec_ms)
                 .AddNumber("calibrated_ms", check.calibrated_ms)
                 .text());
  }
  return JsonObject()
             .AddString("device", placement.run.device)
             .AddStrings("used", placement.used)
             .AddStrings("ignored", placement.ignored)
             .AddString("nearest_device", placement.nearest_device)
             .Add("checks", list.text())
             .text() +
         "\n";
}

}  // namespace edgewise
