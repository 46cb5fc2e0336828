#include "experiments/run_figures.h"

#include <algorithm>

namespace edgewise {
namespace {

constexpr std::array<FigureInfo, kFigureKinds> kInfos = {{
    {"throughput_per_s", "throughput", "1/s", true},
    {"p50_ns", "p50", "ns", false},
    {"p95_ns", "p95", "ns", false},
    {"p99_ns", "p99", "ns", false},
    {"jitter_ns", "jitter", "ns", false},
    {"cpu_cores", "CPU", "cores", false},
    {"memory_bytes", "memory", "bytes", false},
    {"energy_per_item_j", "energy per item", "J", false},
}};

std::optional<double> ValueOf(const std::optional<stats::Estimate>& estimate) {
  return estimate ? std::optional(estimate->value) : std::nullopt;
}

double TotalNs(const SpanAnalysis& span) {
  return span.wall_ns.mean.value_or(0) *
         static_cast<double>(span.wall_ns.count);
}

}  // namespace

const FigureInfo& InfoOf(FigureKind kind) {
  return kInfos[static_cast<size_t>(kind)];
}

const std::array<FigureKind, kFigureKinds>& AllFigures() {
  static constexpr std::array<FigureKind, kFigureKinds> kAll = {
      FigureKind::kThroughput, FigureKind::kP50,    FigureKind::kP95,
      FigureKind::kP99,        FigureKind::kJitter, FigureKind::kCpu,
      FigureKind::kMemory,     FigureKind::kEnergy};
  return kAll;
}

std::optional<double> PercentileOf(FigureKind kind) {
  switch (kind) {
    case FigureKind::kP50:
      return 0.5;
    case FigureKind::kP95:
      return 0.95;
    case FigureKind::kP99:
      return 0.99;
    default:
      return std::nullopt;
  }
}

std::string ItemSpan(const RunAnalysis& analysis) {
  const auto most = std::max_element(
      analysis.spans.begin(), analysis.spans.end(),
      [](const auto& a, const auto& b) { return TotalNs(a) < TotalNs(b); });
  return most == analysis.spans.end() ? "" : most->name;
}

RunFigures FiguresOf(const Run& run, const RunAnalysis& analysis,
                     const std::string& span) {
  RunFigures figures;
  const auto set = [&figures](FigureKind kind, std::optional<double> value) {
    figures.values[static_cast<size_t>(kind)] = value;
  };
  const Totals& totals = run.totals;
  if (span.empty()) {
    figures.items = 1;
    if (totals.wall_s && *totals.wall_s > 0) {
      set(FigureKind::kThroughput, 1 / *totals.wall_s);
      set(FigureKind::kP50, *totals.wall_s * 1e9);
    }
  }
  const auto found =
      std::find_if(analysis.spans.begin(), analysis.spans.end(),
                   [&](const SpanAnalysis& s) { return s.name == span; });
  if (found != analysis.spans.end()) {
    const stats::SpanSummary& times =
        found->jobs ? found->jobs->response_ns : found->wall_ns;
    figures.items = times.count;
    set(FigureKind::kThroughput, found->wall_ns.throughput_per_s);
    set(FigureKind::kP50, ValueOf(times.p50));
    set(FigureKind::kP95, ValueOf(times.p95));
    set(FigureKind::kP99, ValueOf(times.p99));
    set(FigureKind::kJitter, times.jitter);
  }
  if (analysis.cpu_percent) {
    set(FigureKind::kCpu, *analysis.cpu_percent / 100);
  }
  const auto memory =
      totals.tree_peak_bytes ? totals.tree_peak_bytes : totals.max_rss_bytes;
  if (memory) {
    set(FigureKind::kMemory, static_cast<double>(*memory));
  }
  if (totals.energy_j && figures.items > 0) {
    set(FigureKind::kEnergy,
        *totals.energy_j / static_cast<double>(figures.items));
  }
  return figures;
}

}  // namespace edgewise
