#include "report/evaluation_text.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "base/units.h"
#include "report/figures.h"
#include "report/json_writer.h"
#include "report/paragraphs.h"

namespace edgewise {
namespace {

std::string Percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f}%", 100 * *share) : std::string(kUnknown);
}

// "×0.74–1.35".
std::string Factors(const std::optional<IntervalWidth>& width) {
  return width ? fmt::format("×{:.2f}–{:.2f}", std::exp(-width->below),
                             std::exp(width->above))
               : std::string(kUnknown);
}

int64_t Devices(const LatencyData& data) {
  std::set<std::string> devices;
  for (const BoardRun& run : data.runs) {
    devices.insert(run.device);
  }
  return static_cast<int64_t>(devices.size());
}

std::string MetricsJson(const NamedMetrics& row) {
  const Metrics& m = row.metrics;
  std::string name = row.name;
  name.erase(0, name.find_first_not_of(' '));
  JsonObject json;
  json.AddString("name", name)
      .AddInt("forecasts", m.forecasts)
      .AddNumber("mape", m.mape)
      .AddNumber("median_ape", m.median_ape)
      .AddNumber("within_10", m.within_10)
      .AddNumber("within_20", m.within_20)
      .AddNumber("rank_correlation", m.rank_correlation)
      .AddNumber("fastest_of_3", m.fastest_of_3)
      .AddNumber("regret", m.regret)
      .AddNumber("coverage_90", m.coverage);
  if (m.width) {
    json.AddNumber("low_factor", std::exp(-m.width->below))
        .AddNumber("high_factor", std::exp(m.width->above));
  }
  return json.text();
}

}  // namespace

Table MetricsTable(const std::vector<NamedMetrics>& rows) {
  Table table;
  table.columns = {{"held out", false},
                   {"median"},
                   {"mean"},
                   {"±10%"},
                   {"±20%"},
                   {"ranks"},
                   {"fastest of 3"},
                   {"regret"},
                   {"in 90%"},
                   {"interval"}};
  for (const NamedMetrics& row : rows) {
    const Metrics& m = row.metrics;
    const Tone tone = row.name.starts_with(" ") ? Tone::kDim : Tone::kPlain;
    table.rows.push_back(
        {{row.name, tone},
         {Percent(m.median_ape), tone},
         {Percent(m.mape), tone},
         {Percent(m.within_10), tone},
         {Percent(m.within_20), tone},
         {m.rank_correlation ? fmt::format("{:.3f}", *m.rank_correlation)
                             : std::string(kUnknown),
          tone},
         {Percent(m.fastest_of_3), tone},
         {Percent(m.regret), tone},
         {Percent(m.coverage), tone},
         {Factors(m.width), tone}});
  }
  return table;
}

std::string EvaluationText(const Evaluation& evaluation,
                           const LatencyData& data, const TextStyle& style) {
  std::string text =
      FormatCount(data.Measurements()) + " figures of " +
      FormatCount(static_cast<int64_t>(data.networks.size()), "network") +
      " on " + FormatCount(Devices(data), "device") + " (" +
      FormatCount(static_cast<int64_t>(data.runs.size()), "run") + "), " +
      FormatCount(data.left_out) + " left out\n";
  const NoiseFloor& noise = evaluation.noise;
  text += WrappedText(
      "noise floor: ",
      noise.pairs == 0
          ? "unknown, since no device was measured twice in one setting"
          : "two runs of one device and setting differ by " +
                Percent(noise.between_runs) + " (median), " +
                Percent(noise.between_runs_levelled) +
                " once their levels are made equal (" +
                FormatCount(noise.pairs, "pair") + ")",
      style);
  AppendBlock(&text, TextTable(MetricsTable(evaluation.rows), style));
  AppendBlock(
      &text,
      WrappedText("",
                  "Errors are relative to the measured time. Whole "
                  "families of networks (int8 and fp32 are one) and whole "
                  "devices were held out, never single rows. \"in 90%\": "
                  "how many held-out figures fell within intervals made "
                  "from the other groups.",
                  style));
  return text;
}

std::string EvaluationJson(const Evaluation& evaluation,
                           const LatencyData& data) {
  JsonArray rows;
  for (const NamedMetrics& row : evaluation.rows) {
    rows.Add(MetricsJson(row));
  }
  return JsonObject()
             .AddString("data_digest", data.digest)
             .AddInt("measurements", data.Measurements())
             .AddInt("networks", static_cast<int64_t>(data.networks.size()))
             .AddInt("devices", Devices(data))
             .AddInt("runs", static_cast<int64_t>(data.runs.size()))
             .AddInt("noise_pairs", evaluation.noise.pairs)
             .AddNumber("noise_between_runs", evaluation.noise.between_runs)
             .AddNumber("noise_between_runs_levelled",
                        evaluation.noise.between_runs_levelled)
             .Add("rows", rows.text())
             .text() +
         "\n";
}

}  // namespace edgewise
