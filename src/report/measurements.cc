#include "report/measurements.h"

#include <fmt/format.h>

#include "base/units.h"
#include "report/csv_row.h"
#include "report/figures.h"
#include "report/interval_text.h"
#include "report/paragraphs.h"

namespace edgewise {
namespace {

std::string Number(std::optional<double> value) { return CsvNumber(value); }

// Percentages with two digits: more would only be noise.
std::string Percent(std::optional<double> percent) {
  return percent ? fmt::format("{:.2f}", *percent) : "";
}

std::string Ms(std::optional<double> ns) {
  return ns ? fmt::format("{:.6f}", *ns / 1e6) : "";
}

std::string Count(double count) { return fmt::format("{:.0f}", count); }

std::optional<double> ValueOf(const std::optional<stats::Estimate>& estimate) {
  return estimate ? std::optional(estimate->value) : std::nullopt;
}

std::string Time(std::optional<double> ns) {
  return ns ? FormatDuration(*ns) : std::string(kUnknown);
}

const ModelMeasurement* IdleOf(const MeasureModelReport& report, int threads) {
  for (const ModelMeasurement& row : report.rows) {
    if (row.threads == threads && row.load_asked_percent == 0 &&
        row.failure.empty()) {
      return &row;
    }
  }
  return nullptr;
}

// How many times the mean without load.
std::string Slower(const MeasureModelReport& report,
                   const ModelMeasurement& row) {
  const ModelMeasurement* idle = IdleOf(report, row.threads);
  return idle != nullptr && idle->inference_ns.mean && row.inference_ns.mean
             ? fmt::format("×{:.2f}",
                           *row.inference_ns.mean / *idle->inference_ns.mean)
             : std::string(kUnknown);
}

}  // namespace

std::string MeasurementsCsv(const OnnxModel& model,
                            const MeasureModelReport& report,
                            std::optional<double> disk_percent) {
  std::string csv;
  AppendCsvRow(&csv, {"model",
                      "conv_layers",
                      "pool_layers",
                      "fc_layers",
                      "filter_details",
                      "total_parameters",
                      "model_input_size",
                      "model_output_size",
                      "cpu_usage(percentage)",
                      "disk_usage(percentage)",
                      "device_type",
                      "execution_time",
                      "load_asked(percentage)",
                      "cpu_usage_during(percentage)",
                      "threads",
                      "cores",
                      "samples",
                      "warmup",
                      "min_ms",
                      "median_ms",
                      "median_low_ms",
                      "median_high_ms",
                      "mean_ms",
                      "p95_ms",
                      "max_ms",
                      "preprocess_median_ms",
                      "macs",
                      "precision",
                      "engine",
                      "peak_rss_bytes",
                      "cpu_model",
                      "load_reached",
                      "run_id"});
  const Characteristics& fields = model.characteristics;
  const onnx::LayerCounts& counts = model.inspection.counts;
  const Machine& machine = report.machine;
  const auto size = [](std::optional<double> bytes) {
    return bytes ? Count(*bytes) : "";
  };
  for (const ModelMeasurement& row : report.rows) {
    if (!row.failure.empty()) {
      continue;
    }
    const stats::SpanSummary& times = row.inference_ns;
    const std::optional<double> mean_s =
        times.mean ? std::optional(*times.mean / 1e9) : std::nullopt;
    AppendCsvRow(
        &csv,
        {model.name,
         Count(fields.conv_layers),
         Count(fields.pool_layers),
         Count(fields.fc_layers),
         Count(fields.filter_details),
         Count(fields.total_parameters),
         size(counts.model_input_bytes),
         size(counts.model_output_bytes),
         Percent(row.cpu_before_percent),
         Percent(disk_percent),
         machine.board.empty() ? machine.cpu_model : machine.board,
         Number(mean_s),
         Number(row.load_asked_percent),
         Percent(row.cpu_during_percent),
         std::to_string(row.threads),
         std::to_string(machine.cores),
         std::to_string(times.count),
         std::to_string(row.warmup),
         Ms(times.min),
         Ms(ValueOf(times.p50)),
         Ms(times.p50 ? times.p50->low : std::nullopt),
         Ms(times.p50 ? times.p50->high : std::nullopt),
         Ms(times.mean),
         Ms(ValueOf(times.p95)),
         Ms(times.max),
         Ms(row.preprocess_median_ns),
         model.inspection.unknown_nodes == 0 ? Count(model.inspection.macs)
                                             : "",
         report.precision,
         "opencv",
         row.peak_rss_bytes ? std::to_string(*row.peak_rss_bytes) : "",
         machine.cpu_model,
         row.load_reached ? "1" : "0",
         row.run_id});
  }
  return csv;
}

std::string MeasurementsText(const OnnxModel& model,
                             const MeasureModelReport& report,
                             const TextStyle& style) {
  Table table;
  table.columns = {{"threads"},    {"load"},           {"CPU before"},
                   {"CPU during"}, {"median ms"},      {"mean"},
                   {"to idle"},    {"pre-processing"}, {"inferences"}};
  std::vector<std::string> notes;
  for (const ModelMeasurement& row : report.rows) {
    const std::string load = Number(row.load_asked_percent) + "%";
    if (!row.failure.empty()) {
      notes.push_back(load + " load, " + FormatCount(row.threads, "thread") +
                      ": " + row.failure);
      continue;
    }
    if (!row.load_reached) {
      notes.push_back("the load of " + load + " was not reached beside " +
                      FormatCount(row.threads, "thread") +
                      ": judge that row by what was measured");
    }
    table.rows.push_back({{std::to_string(row.threads)},
                          {load},
                          {PercentText(row.cpu_before_percent)},
                          {PercentText(row.cpu_during_percent)},
                          {MsWithInterval(row.inference_ns.p50, 0.5)},
                          {Time(row.inference_ns.mean)},
                          {Slower(report, row)},
                          {Time(row.preprocess_median_ns)},
                          {FormatCount(row.inference_ns.count)}});
  }
  std::string text =
      WrappedPieces(Tint(model.name, Tone::kStrong, style) + "  ",
                    {report.precision, report.machine.cpu_model,
                     FormatCount(report.machine.cores, "core")},
                    style);
  AppendBlock(&text, TextTable(table, style, 2));
  AppendBlock(&text, ItemLines("notes", notes, Tone::kWarning, style));
  return text;
}

}  // namespace edgewise
