#include "report/run_markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "base/clock.h"
#include "base/text.h"
#include "report/function_tables.h"
#include "report/gpu_tables.h"
#include "report/outcome.h"
#include "report/run_facts.h"
#include "report/span_tables.h"
#include "report/table.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

constexpr size_t kMostFunctions = 20;

// A fenced block whose fence is longer than any run of back-ticks within.
std::string CodeBlock(const std::string& language, const std::string& code) {
  size_t longest = 2;
  size_t current = 0;
  for (const char c : code) {
    current = c == '`' ? current + 1 : 0;
    longest = std::max(longest, current);
  }
  const std::string fence(longest + 1, '`');
  return fence + language + "\n" + code + "\n" + fence + "\n";
}

std::string Section(const std::string& title, const std::string& content) {
  return content.empty() ? "" : "\n### " + title + "\n\n" + content;
}

std::string Bullets(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) {
    text += "- " + MarkdownEscape(item) + "\n";
  }
  return text;
}

Table FactTable(const std::vector<Fact>& facts) {
  Table table{{{"what", false}, {"measured", false}}, {}};
  for (const Fact& fact : facts) {
    table.rows.push_back({{fact.name}, {Join(fact.pieces, ", ")}});
  }
  return table;
}

std::string SpanSection(const std::vector<SpanAnalysis>& spans) {
  if (spans.empty()) {
    return "";
  }
  std::string text = MarkdownTable(SpanFigureTable(spans)) + "\n" +
                     MarkdownTable(PercentileTable(spans)) + "\n" +
                     "Percentiles with two-sided 95% intervals.";
  if (const std::string note = PercentileNote(spans); !note.empty()) {
    text += " " + note + ".";
  }
  text += "\n";
  if (const Table jobs = JobTable(spans); !jobs.rows.empty()) {
    text += "\n" + MarkdownTable(jobs);
  }
  return text;
}

std::string FunctionSection(const StackAnalysis& stacks) {
  std::string text =
      "Of " + MarkdownEscape(SampledText(stacks)) + ".\n\n" +
      MarkdownTable(FunctionTable(stacks, kMostFunctions, /*width=*/0));
  if (const auto notes = StackNotes(stacks); !notes.empty()) {
    text += "\n" + Bullets(notes);
  }
  return text;
}

}  // namespace

std::string RunMarkdown(const Run& run, const RunAnalysis& analysis) {
  std::string text = "## Run " + run.id;
  if (!run.label.empty()) {
    text += ": " + MarkdownEscape(Printable(run.label));
  }
  text += "\n\n" + CodeBlock("sh", CommandText(run)) + "\n";
  std::vector<std::string> head{OutcomeOf(run).sentence,
                                "started " + FormatUtc(run.started_utc_ns)};
  if (const std::string machine = MachineText(run.machine); !machine.empty()) {
    head.push_back("on " + machine);
  }
  if (const std::string held = ConditionsText(run.conditions); !held.empty()) {
    head.push_back("with " + held);
  }
  if (!run.note.empty()) {
    head.push_back("note: " + Printable(run.note));
  }
  if (!run.edgewise_version.empty()) {
    head.push_back("measured by edgewise " + Printable(run.edgewise_version));
  }
  text += Bullets(head);
  text += Section("Totals", MarkdownTable(FactTable(RunFacts(run, analysis))));
  text += Section("Spans", SpanSection(analysis.spans));
  if (analysis.stacks) {
    text += Section("Functions", FunctionSection(*analysis.stacks));
  }
  text += Section("On the GPU", GpuMarkdown(run));
  text += Section("Threads", MarkdownTable(ThreadTable(
                                 run, std::numeric_limits<size_t>::max())));
  text += Section("Warnings", Bullets(RunWarnings(run, analysis)));
  text += Section("Not available here", Bullets(UnavailableText(run)));
  return text;
}

}  // namespace edgewise
