#include "report/run_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/clock.h"
#include "base/text.h"
#include "report/figures.h"
#include "report/function_tables.h"
#include "report/gpu_tables.h"
#include "report/outcome.h"
#include "report/paragraphs.h"
#include "report/pictures.h"
#include "report/run_facts.h"
#include "report/span_tables.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

constexpr size_t kMostThreads = 8;
constexpr size_t kMostSpans = 12;
constexpr size_t kMostBars = 7;
constexpr size_t kMostOutputLines = 4;
constexpr size_t kMostFunctions = 10;

// "2026-11-15 08:29:38 UTC".
std::string WhenText(int64_t utc_ns) {
  std::string text = FormatUtc(utc_ns);
  std::replace(text.begin(), text.end(), 'T', ' ');
  if (!text.empty() && text.back() == 'Z') {
    text.pop_back();
  }
  return text + " UTC";
}

std::string HeadText(const Run& run, const TextStyle& style) {
  std::string name = run.label.empty() ? "" : "  " + Printable(run.label);
  if (!run.group.empty()) {
    name += fmt::format("  {}#{} of group {}", run.group_role,
                        run.repeat_index + 1, run.group);
  }
  const std::string when = WhenText(run.started_utc_ns);
  const std::string left = "Run " + run.id + name;
  const int blanks = style.width - DisplayWidth(left) - DisplayWidth(when);
  std::string text = Tint("Run " + run.id, Tone::kStrong, style) + name;
  text.append(static_cast<size_t>(std::max(2, blanks)), ' ');
  text += Tint(when, Tone::kDim, style) + "\n";
  text += WrappedText("  ", CommandText(run), style);
  const Outcome outcome = OutcomeOf(run);
  text += "  " + Tint(outcome.sentence, outcome.tone, style) + "\n";
  if (!run.note.empty()) {
    text += WrappedText("  note: ", Printable(run.note), style);
  }
  if (const std::string machine = MachineText(run.machine); !machine.empty()) {
    text += WrappedText("  on ", machine, style);
  }
  if (const std::string held = ConditionsText(run.conditions); !held.empty()) {
    text += WrappedText("  with ", held, style);
  }
  return text;
}

// What a program that failed said last.
std::string LastWords(const Run& run, const TextStyle& style) {
  if (OutcomeOf(run).tone != Tone::kBad || Trim(run.output_tail).empty()) {
    return "";
  }
  const auto lines = Split(Trim(run.output_tail), '\n');
  const size_t first = lines.size() - std::min(lines.size(), kMostOutputLines);
  std::string text = Tint("last output", Tone::kDim, style) + "\n";
  for (size_t i = first; i < lines.size(); ++i) {
    text += "  " + FitWidth(Printable(lines[i]), style.width - 2) + "\n";
  }
  return text;
}

std::string HistogramText(const SpanAnalysis& main, const TextStyle& style) {
  const auto bars = SpanBars(main, kMostBars);
  if (bars.size() < 2) {
    return "";
  }
  const std::string title =
      "wall time of " + Printable(main.name) +
      (main.histogram.logarithmic ? " (logarithmic bins)" : "");
  return Tint(title, Tone::kDim, style) + "\n" + BarChart(bars, style, 2);
}

std::string FunctionsBlock(const Run& run, const StackAnalysis& stacks,
                           const TextStyle& style) {
  if (stacks.functions.empty()) {
    return "";
  }
  std::string text =
      Tint("time in functions: " + SampledText(stacks), Tone::kDim, style) +
      "\n";
  text += TextTable(FunctionTable(stacks, kMostFunctions, style.width - 2),
                    style, 2);
  if (stacks.functions.size() > kMostFunctions) {
    text += fmt::format("  and {} more: edgewise show {} --functions\n",
                        stacks.functions.size() - kMostFunctions, run.id);
  }
  return text;
}

std::string NextSteps(const Run& run, const RunAnalysis& analysis,
                      const TextStyle& style) {
  std::vector<std::string> steps{"edgewise show " + run.id + " --json"};
  if (const SpanAnalysis* main = MainSpan(analysis.spans)) {
    steps.push_back("edgewise card " + run.id + " --span " +
                    Printable(ShellQuote({main->name})));
  }
  constexpr std::string_view kName = "next";
  const std::string lines =
      WrappedPieces(std::string(kName) + "  ", steps, style);
  return Tint(kName, Tone::kDim, style) + lines.substr(kName.size());
}

}  // namespace

std::string SpansText(const std::vector<SpanAnalysis>& spans,
                      const TextStyle& style) {
  if (spans.empty()) {
    return "";
  }
  const std::vector<SpanAnalysis> shown(
      spans.begin(), spans.begin() + static_cast<std::ptrdiff_t>(
                                         std::min(spans.size(), kMostSpans)));
  std::string text = TextTable(SpanFigureTable(shown), style);
  const Table wide = PercentileTable(shown);
  text += "\n";
  text += TextTable(
      TextTableWidth(wide) <= style.width ? wide : NarrowPercentileTable(shown),
      style);
  if (const std::string note = PercentileNote(shown); !note.empty()) {
    text += WrappedText("", note, style);
  }
  if (spans.size() > shown.size()) {
    text += fmt::format("and {} more spans: see --json\n",
                        spans.size() - shown.size());
  }
  AppendBlock(&text, TextTable(JobTable(shown), style));
  return text;
}

std::string RunText(const Run& run, const RunAnalysis& analysis,
                    const TextStyle& style) {
  std::string text = HeadText(run, style);
  AppendBlock(&text, LastWords(run, style));
  AppendBlock(&text, FactLines(RunFacts(run, analysis), style));
  AppendBlock(&text, SpansText(analysis.spans, style));
  if (const SpanAnalysis* main = MainSpan(analysis.spans)) {
    AppendBlock(&text, HistogramText(*main, style));
  }
  if (analysis.stacks) {
    AppendBlock(&text, FunctionsBlock(run, *analysis.stacks, style));
    AppendBlock(&text, ItemLines("stacks", StackNotes(*analysis.stacks),
                                 Tone::kDim, style));
  }
  AppendBlock(&text, GpuText(run, style));
  if (run.threads.size() > 1) {
    AppendBlock(&text, TextTable(ThreadTable(run, kMostThreads), style));
  }
  AppendBlock(&text, ItemLines("warnings", RunWarnings(run, analysis),
                               Tone::kWarning, style));
  AppendBlock(&text, ItemLines("not available here", UnavailableText(run),
                               Tone::kDim, style));
  AppendBlock(&text, NextSteps(run, analysis, style));
  return style.unicode ? text : ToAscii(text);
}

}  // namespace edgewise
