#include "report/exec_text.h"

#include "base/units.h"
#include "execution/verdict.h"
#include "report/exec_tables.h"
#include "report/figures.h"
#include "report/paragraphs.h"

namespace edgewise {
namespace {

std::vector<std::string> WarningsOf(std::span<const Execution> executions) {
  // The same plan brings the same ones.
  return executions.empty() ? std::vector<std::string>{}
                            : executions.back().warnings;
}

std::string ElapsedText(const Execution& execution) {
  return FormatDuration(static_cast<double>(execution.elapsed_ns));
}

}  // namespace

std::string ExecText(std::span<const Execution> executions,
                     const std::string& plan_name, const TextStyle& style) {
  std::vector<std::string> pieces{"exec " + plan_name};
  for (const Execution& execution : executions) {
    pieces.push_back(WayName(execution) + " " + ElapsedText(execution) +
                     " (run " + execution.run_id + ")");
  }
  if (!executions.empty()) {
    pieces.push_back("dispatchers " +
                     PercentText(executions.back().dispatcher_percent) +
                     " of a core");
  }
  std::string text = WrappedPieces("", pieces, style);
  const ExecutionVerdict verdict = JudgeAll(executions);
  AppendBlock(&text, TextTable(DeadlineTable(executions), style, 2));
  AppendBlock(&text, TextTable(ResponseTable(executions), style, 2));
  AppendBlock(&text, TextTable(JobCostTable(executions), style, 2));
  if (const std::string note = IntervalNote(executions); !note.empty()) {
    text += WrappedText("  ", note, style);
  }
  AppendBlock(&text,
              ItemLines("verdict", verdict.sentences,
                        verdict.falsified ? Tone::kBad : Tone::kStrong, style));
  AppendBlock(&text, ItemLines("warnings", WarningsOf(executions),
                               Tone::kWarning, style));
  return text;
}

std::vector<PageSection> ExecSections(std::span<const Execution> executions) {
  std::vector<PageSection> sections;
  sections.push_back(
      {"Deadlines",
       "lab: one queue, one thread, as the lab's edf_runner; plan: as planned. "
       "Stolen: what was taken from the core of the task's jobs.",
       {DeadlineTable(executions)},
       {},
       ""});
  sections.push_back({"Response times",
                      "From the release of a job to its end, with 95% "
                      "intervals. " +
                          IntervalNote(executions),
                      {ResponseTable(executions)},
                      {ExecChart(executions)},
                      ""});
  sections.push_back({"Jobs",
                      "From release to start, and CPU time against C.",
                      {JobCostTable(executions)},
                      {},
                      ""});
  std::string warnings;
  for (const std::string& warning : WarningsOf(executions)) {
    warnings += warning + ". ";
  }
  if (!warnings.empty()) {
    sections.push_back({"Warnings", warnings, {}, {}, ""});
  }
  return sections;
}

std::string ExecHtml(std::span<const Execution> executions,
                     const std::string& plan_name) {
  ExperimentPage page;
  page.title = "Execution of " + plan_name;
  for (const Execution& execution : executions) {
    page.facts.emplace_back(WayName(execution), ElapsedText(execution));
  }
  if (!executions.empty()) {
    page.facts.emplace_back(
        "dispatchers",
        PercentText(executions.back().dispatcher_percent) + " of a core");
    page.facts.emplace_back("group", executions.back().group);
  }
  page.advice = JudgeAll(executions).sentences;
  page.sections = ExecSections(executions);
  return ExperimentHtml(page);
}

}  // namespace edgewise
