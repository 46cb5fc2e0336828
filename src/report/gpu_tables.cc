#include "report/gpu_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/units.h"
#include "report/figures.h"
#include "report/paragraphs.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

constexpr size_t kMostKernels = 8;
// Names of templates go on for lines.
constexpr int kMostNameColumns = 120;
constexpr size_t kMostCalls = 5;

std::string Time(int64_t ns) { return FormatDuration(static_cast<double>(ns)); }

std::string ShareText(int64_t part, int64_t whole) {
  return whole > 0 ? PercentText(100 * static_cast<double>(part) /
                                 static_cast<double>(whole))
                   : std::string(kUnknown);
}

std::string RateText(std::optional<double> bytes_per_s) {
  return bytes_per_s ? ScaledText(*bytes_per_s) + "B/s" : std::string(kUnknown);
}

const SeriesAnalysis* FindSeries(const RunAnalysis& analysis,
                                 std::string_view name) {
  const auto found = std::find_if(
      analysis.series.begin(), analysis.series.end(),
      [&](const SeriesAnalysis& series) {
        return series.kind == SeriesKind::kSystem && series.name == name;
      });
  return found != analysis.series.end() ? &*found : nullptr;
}

std::string OccupancyText(const GpuKernelUse& kernel) {
  if (!kernel.occupancy_percent) {
    return std::string(kUnknown);
  }
  return fmt::format("{:.0f}%{}{}", *kernel.occupancy_percent,
                     kernel.occupancy_limit.empty() ? "" : " by ",
                     kernel.occupancy_limit);
}

std::string DeviceText(const GpuSummary& summary) {
  std::vector<std::string> names;
  for (const std::string& name : summary.devices) {
    names.push_back(Printable(name));
  }
  return Join(names, ", ");
}

}  // namespace

Fact GpuFact(const GpuAccount& account, const RunAnalysis& analysis) {
  Fact fact{"GPU", {}, {}};
  std::optional<double> busy;
  std::optional<double> joules;
  for (const GpuUse& device : account.devices) {
    fact.pieces.push_back(Printable(device.name));
    if (device.busy_percent) {
      busy = std::max(busy.value_or(0), *device.busy_percent);
    }
    if (device.energy_j) {
      joules = joules.value_or(0) + *device.energy_j;
    }
  }
  if (account.devices.empty()) {
    return fact;
  }
  fact.pieces.push_back("busy " + PercentText(busy));
  fact.pieces.push_back("the program's memory " +
                        BytesText(account.memory_peak_bytes));
  fact.pieces.push_back("moved at most " + RateText(account.most_bytes_per_s));
  const SeriesAnalysis* power = FindSeries(analysis, "gpu_power");
  std::string power_text = power != nullptr && power->mean
                               ? Figure(*power->mean) + " W mean"
                               : "power --";
  if (joules) {
    power_text += fmt::format(" ({} J)", Figure(*joules));
  }
  fact.pieces.push_back(std::move(power_text));
  if (const SeriesAnalysis* series = FindSeries(analysis, "gpu_busy")) {
    for (const Point& point : series->trend) {
      fact.trend.push_back(point.value);
    }
  }
  return fact;
}

Table GpuKernelTable(const GpuSummary& summary, size_t most) {
  Table table{{{"kernel", false, true},
               {"count"},
               {"total"},
               {"share"},
               {"mean"},
               {"occupancy", false}},
              {}};
  for (size_t i = 0; i < std::min(most, summary.kernels.size()); ++i) {
    const GpuKernelUse& kernel = summary.kernels[i];
    table.rows.push_back(
        {{FitWidth(Printable(kernel.name), kMostNameColumns)},
         {FormatCount(kernel.count)},
         {Time(kernel.total_ns)},
         {ShareText(kernel.total_ns, summary.busy_ns)},
         {Time(kernel.total_ns / std::max<int64_t>(kernel.count, 1))},
         {OccupancyText(kernel)}});
  }
  return table;
}

Table GpuCopyTable(const GpuSummary& summary) {
  Table table{{{"copies", false},
               {"count"},
               {"bytes"},
               {"total"},
               {"share"},
               {"rate"},
               {"pageable"}},
              {}};
  for (const GpuCopyUse& copies : summary.copies) {
    std::optional<double> rate;
    if (copies.total_ns > 0) {
      rate = static_cast<double>(copies.bytes) * 1e9 /
             static_cast<double>(copies.total_ns);
    }
    table.rows.push_back({{copies.way},
                          {FormatCount(copies.count)},
                          {FormatBytes(static_cast<double>(copies.bytes))},
                          {Time(copies.total_ns)},
                          {ShareText(copies.total_ns, summary.busy_ns)},
                          {RateText(rate)},
                          {FormatCount(copies.pageable_count)}});
  }
  return table;
}

Table GpuCallTable(const GpuSummary& summary, size_t most) {
  Table table{
      {{"CUDA call", false, true}, {"count"}, {"total"}, {"mean"}, {"longest"}},
      {}};
  for (size_t i = 0; i < std::min(most, summary.calls.size()); ++i) {
    const GpuCallUse& call = summary.calls[i];
    table.rows.push_back(
        {{Printable(call.name)},
         {FormatCount(call.count)},
         {Time(call.total_ns)},
         {Time(call.total_ns / std::max<int64_t>(call.count, 1))},
         {Time(call.max_ns)}});
  }
  return table;
}

std::vector<Fact> GpuTimeFacts(const GpuSummary& summary) {
  const int64_t idle_ns = summary.span_ns - summary.busy_ns;
  std::vector<Fact> facts{
      {"GPU time",
       {Time(summary.busy_ns) + " busy in " + Time(summary.span_ns),
        "kernels " + Time(summary.kernel_ns), "copies " + Time(summary.copy_ns),
        "both at once " + ShareText(summary.overlap_ns, summary.copy_ns) +
            " of the copies"},
       {}},
      {"idle",
       {ShareText(idle_ns, summary.span_ns) + " of the time",
        FormatCount(summary.gap_count, "gap"),
        "the longest " + Time(summary.longest_gap_ns)},
       {}},
      {"launching",
       {"a call takes " + (summary.launch_mean_ns
                               ? Time(*summary.launch_mean_ns)
                               : std::string(kUnknown)),
        "from call to start " + (summary.launch_delay_ns
                                     ? Time(*summary.launch_delay_ns)
                                     : std::string(kUnknown)),
        "waiting for the GPU " + Time(summary.synchronise_ns)},
       {}},
      {"recording",
       {Time(summary.recording_ns) + " of CPU time",
        ShareText(summary.recording_ns, summary.span_ns) +
            " of the GPU's time span",
        FormatCount(summary.kernel_count + summary.call_count, "record")},
       {}}};
  return facts;
}

std::string GpuText(const Run& run, const TextStyle& style) {
  if (!run.gpu || !run.gpu->summary) {
    return "";
  }
  const GpuSummary& summary = *run.gpu->summary;
  std::string text =
      Tint(fmt::format("on the GPU: {} launches of {} on {}",
                       FormatCount(summary.kernel_count),
                       FormatCount(std::ssize(summary.kernels), "kernel"),
                       DeviceText(summary)),
           Tone::kDim, style) +
      "\n";
  text += TextTable(GpuKernelTable(summary, kMostKernels), style, 2);
  AppendBlock(&text, TextTable(GpuCopyTable(summary), style, 2));
  AppendBlock(&text, TextTable(GpuCallTable(summary, kMostCalls), style, 2));
  AppendBlock(&text, FactLines(GpuTimeFacts(summary), style));
  AppendBlock(&text,
              ItemLines("advice", GpuAdvice(summary), Tone::kStrong, style));
  return text;
}

std::string GpuMarkdown(const Run& run) {
  if (!run.gpu || !run.gpu->summary) {
    return "";
  }
  const GpuSummary& summary = *run.gpu->summary;
  std::string text;
  for (const Table& table :
       {GpuKernelTable(summary, summary.kernels.size()), GpuCopyTable(summary),
        GpuCallTable(summary, summary.calls.size())}) {
    if (const std::string rows = MarkdownTable(table); !rows.empty()) {
      text += rows + "\n";
    }
  }
  for (const Fact& fact : GpuTimeFacts(summary)) {
    text += "- " + fact.name + ": " + MarkdownEscape(Join(fact.pieces, ", ")) +
            "\n";
  }
  for (const std::string& advice : GpuAdvice(summary)) {
    text += "- " + MarkdownEscape(Printable(advice)) + "\n";
  }
  return text;
}

}  // namespace edgewise
