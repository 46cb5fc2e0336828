#include "report/timers_text.h"

#include "base/units.h"
#include "report/json_writer.h"
#include "report/paragraphs.h"
#include "report/pictures.h"
#include "stats/histogram.h"

namespace edgewise {
namespace {

constexpr size_t kMostBars = 16;

std::string Time(int64_t ns) { return FormatDuration(static_cast<double>(ns)); }

std::vector<Cell> DelayRow(const std::string& name,
                           const MeasuredDelay& delay) {
  if (delay.samples == 0) {
    return {{name}, {"0"}, {"--"}, {"--"}, {"--"}, {"--"}};
  }
  return {{name},
          {FormatCount(delay.samples)},
          {Time(delay.p50_ns)},
          {Time(delay.p99_ns)},
          {Time(delay.bound_ns)},
          {Time(delay.max_ns)}};
}

std::vector<Bar> Bars(const std::vector<double>& samples_ns) {
  std::vector<Bar> bars;
  for (const stats::HistogramBin& bin :
       stats::MakeHistogram(samples_ns, stats::HistogramScale::kLog, kMostBars)
           .bins) {
    bars.push_back({FormatDuration(bin.low) + " – " + FormatDuration(bin.high),
                    static_cast<int64_t>(bin.count)});
  }
  return bars;
}

std::string DelayJson(const MeasuredDelay& delay) {
  return JsonObject()
      .AddInt("samples", delay.samples)
      .AddInt("p50_ns", delay.p50_ns)
      .AddInt("p99_ns", delay.p99_ns)
      .AddInt("bound_ns", delay.bound_ns)
      .AddInt("max_ns", delay.max_ns)
      .text();
}

std::string HistogramJson(const std::vector<double>& samples_ns) {
  JsonArray bins;
  for (const stats::HistogramBin& bin :
       stats::MakeHistogram(samples_ns, stats::HistogramScale::kLog).bins) {
    bins.Add(JsonObject()
                 .AddNumber("low_ns", bin.low)
                 .AddNumber("high_ns", bin.high)
                 .AddInt("count", static_cast<int64_t>(bin.count))
                 .text());
  }
  return bins.text();
}

}  // namespace

std::string TimersText(const TimerCalibration& calibration,
                       const TextStyle& style) {
  const MachineTimers& timers = calibration.timers;
  std::string text = WrappedPieces(
      "",
      {"timers", timers.realtime ? "real-time policy" : "ordinary policy",
       FormatDuration(static_cast<double>(calibration.execution.elapsed_ns)),
       "run " + calibration.execution.run_id},
      style);
  Table table;
  table.columns = {{"", false}, {"jobs"},          {"p50"},
                   {"p99"},     {"p99.9 at most"}, {"largest"}};
  table.rows = {DelayRow("release to start, core idle", timers.latency),
                DelayRow("end of a job to the next", timers.hand_over)};
  AppendBlock(&text, TextTable(table, style, 2));
  AppendBlock(&text, "  release to start\n" +
                         BarChart(Bars(calibration.execution.costs.latency_ns),
                                  style, 4));
  text += WrappedText(
      "  ",
      "Plans made here now count with " + Time(timers.latency.bound_ns) +
          " until a released job is seen and " +
          Time(timers.hand_over.bound_ns) +
          " for each job (the upper end of the 95% interval of the 99.9th "
          "percentile); `edgewise plan --latency` and `--overhead` say "
          "otherwise.",
      style);
  AppendBlock(&text, ItemLines("warnings", calibration.execution.warnings,
                               Tone::kWarning, style));
  return text;
}

std::string TimersJson(const TimerCalibration& calibration) {
  const MachineTimers& timers = calibration.timers;
  const DispatchCosts& costs = calibration.execution.costs;
  return JsonObject()
             .AddString("machine", timers.machine)
             .AddString("created", timers.created)
             .Add("realtime", timers.realtime ? "true" : "false")
             .AddString("run", calibration.execution.run_id)
             .Add("latency", DelayJson(timers.latency))
             .Add("hand_over", DelayJson(timers.hand_over))
             .Add("latency_histogram", HistogramJson(costs.latency_ns))
             .Add("hand_over_histogram", HistogramJson(costs.hand_over_ns))
             .AddStrings("warnings", calibration.execution.warnings)
             .text() +
         "\n";
}

}  // namespace edgewise
