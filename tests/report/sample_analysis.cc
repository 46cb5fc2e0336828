#include "sample_analysis.h"

#include "base/clock.h"
#include "sample_run.h"

namespace edgewise {
namespace {

constexpr double kMs = 1e6;

stats::Estimate Interval(double value_ms, double low_ms, double high_ms) {
  return {value_ms * kMs, low_ms * kMs, high_ms * kMs};
}

SpanAnalysis FrameSpan() {
  SpanAnalysis span;
  span.name = "frame";
  stats::SpanSummary& wall = span.wall_ns;
  wall.count = 600;
  wall.mean = 24.31 * kMs;
  wall.stddev = 4.12 * kMs;
  wall.jitter = 2.7 * kMs;
  wall.min = 19.2 * kMs;
  wall.max = 61.24 * kMs;
  wall.p50 = Interval(23.6, 23.3, 24.02);
  wall.p90 = Interval(28.9, 28.1, 29.8);
  wall.p95 = Interval(31.4, 30.2, 33.9);
  wall.p99 = Interval(44.1, 38.2, 57.7);
  wall.p999 = {61.24 * kMs, std::nullopt, std::nullopt};
  wall.n_effective = 412;
  wall.lag1 = 0.18;
  wall.warmup_count = 14;
  wall.throughput_per_s = 20.01;
  span.cpu_count = 600;
  span.cpu_mean_ns = 21.9 * kMs;
  span.cpu_total_ns = 600 * 21.9 * kMs;
  span.dropped = 12;
  span.histogram.bins = {{19.2e6, 24.5e6, 371}, {24.5e6, 29.7e6, 178},
                         {29.7e6, 35e6, 34},    {35e6, 40.2e6, 9},
                         {40.2e6, 45.5e6, 4},   {45.5e6, 50.7e6, 2},
                         {50.7e6, 56e6, 0},     {56e6, 61.24e6, 2}};
  return span;
}

SpanAnalysis UploadSpan() {
  SpanAnalysis span;
  span.name = "upload";
  stats::SpanSummary& wall = span.wall_ns;
  wall.count = 30;
  wall.mean = 0.412 * kMs;
  wall.stddev = 0.05 * kMs;
  wall.jitter = 0.06 * kMs;
  wall.min = 0.3 * kMs;
  wall.max = 0.61 * kMs;
  wall.p50 = Interval(0.402, 0.39, 0.425);
  for (auto* tail : {&wall.p90, &wall.p95, &wall.p99, &wall.p999}) {
    *tail = {0.61 * kMs, 0.45 * kMs, std::nullopt};
  }
  wall.n_effective = 30;
  wall.throughput_per_s = 1;
  return span;
}

SpanAnalysis ControlSpan() {
  SpanAnalysis span = FrameSpan();
  span.name = "control";
  span.dropped = 0;
  span.wall_ns.mean = 3.1 * kMs;
  span.wall_ns.min = 2.7 * kMs;
  span.wall_ns.max = 9.4 * kMs;
  span.wall_ns.stddev = 0.4 * kMs;
  span.wall_ns.jitter = 0.3 * kMs;
  span.wall_ns.p50 = Interval(3.05, 3.01, 3.11);
  span.wall_ns.p90 = Interval(3.6, 3.5, 3.8);
  span.wall_ns.p95 = Interval(3.9, 3.8, 4.2);
  span.wall_ns.p99 = Interval(5.1, 4.6, 8.8);
  span.wall_ns.p999 = {9.4 * kMs, std::nullopt, std::nullopt};
  span.cpu_count = 0;
  span.cpu_mean_ns.reset();
  span.cpu_total_ns.reset();
  span.histogram = {};
  JobAnalysis jobs;
  jobs.deadline_misses = 3;
  jobs.response_ns = span.wall_ns;
  jobs.response_ns.max = 12.8 * kMs;
  jobs.max_lateness_ns = 2.8 * kMs;
  span.jobs = jobs;
  return span;
}

SeriesAnalysis Series(const std::string& name, const std::string& unit,
                      double mean, double swing) {
  SeriesAnalysis series;
  series.name = name;
  series.unit = unit;
  series.count = 300;
  series.min = mean - swing;
  series.mean = mean;
  series.max = mean + swing;
  series.last = mean;
  // Up and down in steps whose decimals are the same on every machine.
  for (int i = 0; i < 30; ++i) {
    const int step = i % 16 < 8 ? i % 16 : 16 - i % 16;
    series.trend.push_back({i * kNsPerSecond, mean + swing * (step - 4) / 4});
  }
  return series;
}

stats::Comparison Shown(stats::Verdict verdict, double ratio, double low,
                        double high) {
  return {verdict, ratio, low, high, "paired t interval of log ratios", ""};
}

}  // namespace

RunAnalysis SampleAnalysis() {
  RunAnalysis analysis;
  analysis.spans = {FrameSpan(), UploadSpan(), ControlSpan()};
  analysis.series = {Series("cpu_percent", "percent", 45, 38),
                     Series("rss", "bytes", 110e6, 9e6),
                     Series("cpu_frequency", "MHz", 1800, 600),
                     Series("temperature", "celsius", 58.2, 3)};
  analysis.series.push_back(Series("queue", "", 3, 2));
  analysis.series.back().kind = SeriesKind::kGauge;
  analysis.cpu_percent = 45.07;
  analysis.instructions_per_cycle = 1.3237;
  analysis.cache_miss_percent = 7.51;
  analysis.branch_miss_percent = 0.805;
  analysis.warnings = {
      "the first 14 spans of frame look like warm-up: repeat with --warmup 1s "
      "to leave them out"};
  return analysis;
}

GroupAnalysis SampleGroup() {
  GroupAnalysis group;
  group.runs = 5;
  group.figures = {
      {"wall_s", "s", 5, 30.02, 29.8, 30.4, 0.21, 29.76, 30.28},
      {"cpu_s", "s", 5, 13.5, 13.1, 13.9, 0.3, 13.13, 13.87},
      {"max_rss_bytes", "bytes", 5, 118e6, 117e6, 119e6, 1e6, 116.8e6, 119.2e6},
      {"voluntary_switches", "", 5, 3604, 3500, 3700, 80, 3505, 3703},
      {"energy_j", "J", 1, 126, 126, 126, std::nullopt, std::nullopt,
       std::nullopt}};
  group.spans = {FrameSpan()};
  group.warnings = {"energy_j is known of 1 of 5 Runs only"};
  return group;
}

RunComparison SampleComparison() {
  RunComparison comparison;
  for (int i = 0; i < 5; ++i) {
    Run a = SampleRun();
    a.id = "a0000000000" + std::to_string(i);
    a.group = "5e5e5e5e5e5e";
    a.group_role = "a";
    a.repeat_index = i;
    a.command = {"./old", "--fast"};
    comparison.a.push_back(a);
    Run b = a;
    b.id[0] = 'b';
    b.group_role = "b";
    b.command = {"./new"};
    comparison.b.push_back(b);
  }
  comparison.interleaved = true;
  comparison.totals = {
      {"wall_s", "s", 30.02, 27.1,
       Shown(stats::Verdict::kFaster, 0.903, 0.891, 0.915)},
      {"max_rss_bytes", "bytes", 118e6, 131e6,
       Shown(stats::Verdict::kSlower, 1.11, 1.08, 1.14)},
      {"voluntary_switches", "", 3604, 3590,
       Shown(stats::Verdict::kNoDifference, 0.996, 0.97, 1.02)},
      {"energy_j",
       "J",
       std::nullopt,
       std::nullopt,
       {stats::Verdict::kInsufficient, std::nullopt, std::nullopt, std::nullopt,
        "", "neither side has a figure"}}};
  SpanComparison frame;
  frame.name = "frame";
  frame.a = FrameSpan();
  frame.b = FrameSpan();
  frame.b.wall_ns.mean = 21.9 * kMs;
  frame.b.wall_ns.p50 = Interval(21.3, 21.0, 21.7);
  frame.mean_ns = {frame.a.wall_ns.mean, 21.9 * kMs};
  frame.median_ns = {frame.a.wall_ns.p50->value, 21.3 * kMs};
  frame.p99_ns = {frame.a.wall_ns.p99->value, 43.2 * kMs};
  frame.mean = Shown(stats::Verdict::kFaster, 0.901, 0.89, 0.912);
  frame.median = Shown(stats::Verdict::kFaster, 0.903, 0.894, 0.914);
  frame.p99 = Shown(stats::Verdict::kNoDifference, 0.98, 0.86, 1.13);
  comparison.spans = {frame};
  comparison.only_in_b = {"upload"};
  comparison.warnings = {"the machine was disturbed during 1 of 10 Runs"};
  return comparison;
}

}  // namespace edgewise
