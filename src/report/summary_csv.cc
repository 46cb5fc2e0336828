// The part of run_csv.h that needs no store.
#include <string>

#include "report/csv_row.h"
#include "report/run_csv.h"
#include "store/totals.h"

namespace edgewise {
namespace {

constexpr double kNsPerMillisecond = 1e6;

std::optional<double> Ms(std::optional<double> ns) {
  return ns ? std::optional(*ns / kNsPerMillisecond) : std::nullopt;
}

void AddSpan(const SpanAnalysis& span, std::string* csv) {
  const stats::SpanSummary& wall = span.wall_ns;
  const auto add = [&](std::string_view statistic, std::optional<double> value,
                       std::string_view unit) {
    AppendCsvRow(
        csv, {"span", span.name, statistic, CsvNumber(value), "", "", unit});
  };
  const auto add_interval = [&](std::string_view statistic,
                                const std::optional<stats::Estimate>& ns) {
    const stats::Estimate estimate = ns.value_or(stats::Estimate{});
    AppendCsvRow(
        csv,
        {"span", span.name, statistic, ns ? CsvNumber(Ms(estimate.value)) : "",
         CsvNumber(Ms(estimate.low)), CsvNumber(Ms(estimate.high)), "ms"});
  };
  add("count", static_cast<double>(wall.count), "");
  add("dropped", static_cast<double>(span.dropped), "");
  add("mean", Ms(wall.mean), "ms");
  add("min", Ms(wall.min), "ms");
  add("max", Ms(wall.max), "ms");
  add("stddev", Ms(wall.stddev), "ms");
  add("jitter", Ms(wall.jitter), "ms");
  add_interval("p50", wall.p50);
  add_interval("p90", wall.p90);
  add_interval("p95", wall.p95);
  add_interval("p99", wall.p99);
  add_interval("p99.9", wall.p999);
  add("n_effective", wall.n_effective, "");
  add("rate", wall.throughput_per_s, "1/s");
  add("cpu_mean", Ms(span.cpu_mean_ns), "ms");
  if (span.jobs) {
    add("deadline_misses", static_cast<double>(span.jobs->deadline_misses), "");
    add("max_lateness", Ms(span.jobs->max_lateness_ns), "ms");
  }
}

}  // namespace

std::string SummaryCsv(const Run& run, const RunAnalysis& analysis) {
  std::string csv;
  AppendCsvRow(&csv,
               {"kind", "name", "statistic", "value", "low", "high", "unit"});
  for (const TotalFigure& total : TotalFigures()) {
    AppendCsvRow(&csv, {"total", total.name, "",
                        CsvNumber(total.read(run.totals)), "", "", total.unit});
  }
  for (const CounterValue& counter : run.counters) {
    AppendCsvRow(&csv, {"counter", counter.name, "", CsvNumber(counter.value),
                        "", "", ""});
  }
  for (const SeriesAnalysis& series : analysis.series) {
    const auto add = [&](std::string_view statistic,
                         std::optional<double> value) {
      AppendCsvRow(&csv, {"series", series.name, statistic, CsvNumber(value),
                          "", "", series.unit});
    };
    add("min", series.min);
    add("mean", series.mean);
    add("max", series.max);
  }
  for (const SpanAnalysis& span : analysis.spans) {
    AddSpan(span, &csv);
  }
  return csv;
}

}  // namespace edgewise
