#include "report/plan_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "report/figures.h"
#include "report/gantt.h"
#include "report/paragraphs.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

std::string Ms(std::optional<int64_t> ns) {
  return ns ? Figure(static_cast<double>(*ns) / 1e6) : std::string(kUnknown);
}

// "fifo 80", "deadline 6 ms", "other 25%".
std::string PolicyText(const PlannedTask& task) {
  std::string text(ExecutorName(task.executor));
  if (task.priority) {
    text += fmt::format(" {}", *task.priority);
  }
  if (task.runtime_ns) {
    text += " " + FormatDuration(static_cast<double>(*task.runtime_ns));
  }
  if (task.quota_cores) {
    text += " " + PercentText(100 * *task.quota_cores);
  }
  return text;
}

std::string GrowthText(const Proof& proof) {
  return proof.growth ? fmt::format("×{:.3f}", *proof.growth)
                      : std::string(kUnknown);
}

std::vector<std::string> RemedySentences(const PlanReport& report) {
  std::vector<std::string> sentences;
  for (const scheduling::Remedy& remedy : report.remedies) {
    sentences.push_back(remedy.change);
  }
  if (!report.answer.found && sentences.empty()) {
    sentences.emplace_back("No single change helps; combine some.");
  }
  return sentences;
}

std::vector<std::string> SourcesOf(const Plan& plan) {
  std::vector<std::string> sources;
  for (const PlannedTask& task : plan.tasks) {
    sources.push_back(task.name + ": " + task.wcet_source);
  }
  return sources;
}

std::vector<std::string> AssumptionsOf(const Plan& plan) {
  std::vector<std::string> all;
  for (const PlannedCore& core : plan.cores) {
    for (const std::string& each : core.proof.assumptions) {
      if (std::find(all.begin(), all.end(), each) == all.end()) {
        all.push_back(each);
      }
    }
  }
  return all;
}

std::string Paragraph(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) {
    text += (text.empty() ? "" : " ") + sentence;
  }
  return text;
}

Table ListTable(const std::string& title,
                const std::vector<std::string>& items) {
  Table table;
  table.columns = {{title, false}};
  for (const std::string& item : items) {
    table.rows.push_back({{Printable(item)}});
  }
  return table;
}

}  // namespace

std::string PlanHeadline(const PlanReport& report) {
  const Plan& plan = report.answer.plan;
  const std::string tasks =
      FormatCount(static_cast<int64_t>(plan.tasks.size()), "task");
  const std::string cores =
      (report.request.cores.size() > 1 ? "cores " : "core ") +
      FormatCpuList(report.request.cores);
  if (report.answer.found) {
    return fmt::format("{} on {}: every deadline is proven to be met.", tasks,
                       cores);
  }
  return fmt::format("{} on {}: {}", tasks, cores,
                     report.answer.certain
                         ? "no plan meets every deadline."
                         : "no plan was proven; there may be one.");
}

std::vector<std::string> PlanWitnesses(const Plan& plan) {
  std::vector<std::string> witnesses;
  for (const PlannedCore& core : plan.cores) {
    if (!core.proof.schedulable) {
      witnesses.push_back("core " + FormatCpuList(core.cores) + ": " +
                          (core.proof.witness.empty() ? core.proof.verdict
                                                      : core.proof.witness));
    }
  }
  return witnesses;
}

Table PlanTaskTable(const Plan& plan) {
  Table table;
  table.columns = {{"task, ms", false, true},
                   {"core"},
                   {"policy", false},
                   {"C"},
                   {"period"},
                   {"deadline"},
                   {"bound"},
                   {"slack"},
                   {"spare C"}};
  for (const PlannedTask& task : plan.tasks) {
    const bool late =
        !task.response_bound_ns || *task.response_bound_ns > task.deadline_ns;
    table.rows.push_back(
        {{Printable(task.name), Tone::kStrong},
         {FormatCpuList(task.cores)},
         {PolicyText(task)},
         {Ms(task.wcet_ns)},
         {Ms(task.period_ns)},
         {Ms(task.deadline_ns)},
         {Ms(task.response_bound_ns), late ? Tone::kBad : Tone::kGood},
         {Ms(task.slack_ns)},
         {Ms(task.wcet_slack_ns)}});
  }
  return table;
}

Table PlanCoreTable(const Plan& plan) {
  Table table;
  table.columns = {{"core"},
                   {"load"},
                   {"proof", false},
                   {"all C may grow"},
                   {"test", false, true}};
  for (const PlannedCore& core : plan.cores) {
    table.rows.push_back({{FormatCpuList(core.cores)},
                          {PercentText(100 * core.utilisation)},
                          {core.proof.schedulable ? "holds" : "fails",
                           core.proof.schedulable ? Tone::kGood : Tone::kBad},
                          {GrowthText(core.proof)},
                          {core.proof.test}});
  }
  return table;
}

std::string PlanText(const PlanReport& report, const TextStyle& style) {
  const Plan& plan = report.answer.plan;
  std::string text =
      Tint(PlanHeadline(report), report.answer.found ? Tone::kGood : Tone::kBad,
           style) +
      "\n";
  AppendBlock(&text, TextTable(PlanTaskTable(plan), style, 2));
  AppendBlock(&text, TextTable(PlanCoreTable(plan), style, 2));
  if (!report.answer.found) {
    std::vector<std::string> why = PlanWitnesses(plan);
    why.push_back(report.answer.statement);
    AppendBlock(&text, ItemLines("why", why, Tone::kBad, style));
    AppendBlock(&text,
                ItemLines("what would help, each proven",
                          RemedySentences(report), Tone::kStrong, style));
  }
  if (report.history) {
    AppendBlock(&text, GanttText(plan, *report.history, style));
  }
  if (!report.explanation.empty()) {
    AppendBlock(&text,
                ItemLines("why so", report.explanation, Tone::kPlain, style));
    AppendBlock(&text, ItemLines("where C comes from", SourcesOf(plan),
                                 Tone::kPlain, style));
    AppendBlock(&text, ItemLines("what the proofs assume", AssumptionsOf(plan),
                                 Tone::kPlain, style));
  }
  AppendBlock(&text, ItemLines("notes", plan.notes, Tone::kWarning, style));
  return text;
}

std::vector<PageSection> PlanSections(const PlanReport& report) {
  const Plan& plan = report.answer.plan;
  std::vector<PageSection> sections;
  PageSection tasks{"Tasks",
                    "Bound: the longest a job may take from its release to its "
                    "end, proven.",
                    {PlanTaskTable(plan)},
                    {},
                    ""};
  if (report.history) {
    tasks.charts.push_back(GanttSvg(plan, *report.history));
  }
  sections.push_back(std::move(tasks));
  sections.push_back(
      {"Proofs",
       "",
       {PlanCoreTable(plan), ListTable("what they assume", AssumptionsOf(plan)),
        ListTable("where C comes from", SourcesOf(plan))},
       {},
       ""});
  if (!report.explanation.empty()) {
    sections.push_back(
        {"Why so", "", {ListTable("reason", report.explanation)}, {}, ""});
  }
  if (!plan.notes.empty()) {
    sections.push_back({"Notes", Paragraph(plan.notes), {}, {}, ""});
  }
  return sections;
}

std::string PlanHtml(const PlanReport& report) {
  const Plan& plan = report.answer.plan;
  ExperimentPage page;
  page.title =
      report.answer.found ? "A plan that meets every deadline" : "No plan";
  page.subtitle = plan.machine_name;
  page.facts = {
      {"tasks", FormatCount(static_cast<int64_t>(plan.tasks.size()))},
      {"cores", FormatCpuList(report.request.cores)},
      {"executor", std::string(ExecutorName(report.request.rules.executor))},
      {"reserve", PercentText(100 * plan.reserve)},
      {"made", plan.created}};
  page.advice = {PlanHeadline(report)};
  const std::vector<std::string> witnesses = PlanWitnesses(plan);
  page.advice.insert(page.advice.end(), witnesses.begin(), witnesses.end());
  page.sections = PlanSections(report);
  if (!report.answer.found) {
    page.sections.insert(page.sections.begin(),
                         {"What would help",
                          "Each change was proven to be enough by itself.",
                          {ListTable("change", RemedySentences(report))},
                          {},
                          ""});
  }
  return ExperimentHtml(page);
}

}  // namespace edgewise
