// The scheduling plan: tasks, picture, proof.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "base/units.h"
#include "project/deliverable.h"
#include "project/remake.h"
#include "project/wording.h"
#include "report/gantt.h"
#include "report/plan_text.h"
#include "scheduling/plan_history.h"

namespace edgewise {
namespace {

PlanReport ReportOf(const Plan& plan) {
  PlanReport report;
  report.answer.plan = plan;
  report.answer.found = !plan.cores.empty();
  std::set<int> cores;
  for (const PlannedTask& task : plan.tasks) {
    cores.insert(task.cores.begin(), task.cores.end());
  }
  report.request.cores.assign(cores.begin(), cores.end());
  for (const PlannedCore& core : plan.cores) {
    report.answer.found = report.answer.found && core.proof.schedulable;
  }
  if (auto history = scheduling::FirstHyperperiod(plan)) {
    report.history = std::move(*history);
  }
  return report;
}

// "edgewise plan cards/a.yaml cards/b.yaml --cores 0-1 -o plan.yaml".
std::string PlanAgain(const PlanReport& report, const std::string& file) {
  std::vector<std::string> words{"edgewise", "plan"};
  for (const PlannedTask& task : report.answer.plan.tasks) {
    if (!task.card.empty()) {
      words.push_back(task.card);
    }
  }
  const Plan& plan = report.answer.plan;
  words.insert(words.end(),
               {"--cores", FormatCpuList(report.request.cores), "--reserve",
                fmt::format("{:g}%", 100 * plan.reserve)});
  if (!plan.tasks.empty() && plan.tasks.front().executor != Executor::kEdf) {
    words.emplace_back("--executor");
    words.emplace_back(ExecutorName(plan.tasks.front().executor));
  }
  if (plan.latency_ns > 0) {
    words.insert(words.end(), {"--latency", TimeFlag(plan.latency_ns)});
  }
  if (plan.overhead_ns > 0) {
    words.insert(words.end(), {"--overhead", TimeFlag(plan.overhead_ns)});
  }
  words.insert(words.end(), {"-o", file});
  return ShellQuote(words);
}

}  // namespace

Result<Deliverable> PlanDeliverable(const DeliverableSource& source) {
  Deliverable deliverable;
  deliverable.title = "Scheduling plan";
  if (source.folder.plans.empty()) {
    deliverable.summary = "There is no plan (plan*.yaml, plan/*.yaml).";
    deliverable.commands = {
        "edgewise plan cards/*.yaml --explain -o plan.yaml"};
    return deliverable;
  }
  deliverable.there = true;
  for (const auto& [file, plan] : source.folder.plans) {
    deliverable.files.push_back(file);
    const PlanReport report = ReportOf(plan);
    const std::string headline = plan.cores.empty()
                                     ? "It was written without a proof."
                                     : PlanHeadline(report);
    deliverable.summary +=
        (deliverable.summary.empty() ? "" : " ") + file.name + ": " + headline;
    std::vector<PageSection> sections = PlanSections(report);
    for (PageSection& section : sections) {
      section.heading = file.name + ": " + section.heading;
      section.part = true;
    }
    sections.front().text =
        Sentences(PlanWitnesses(plan)) + " " + sections.front().text;
    std::move(sections.begin(), sections.end(),
              std::back_inserter(deliverable.sections));
    if (report.history) {
      // "plan/plan.yaml" is drawn in "plan/plan.yaml.svg".
      deliverable.files.push_back(
          {file.name + ".svg", GanttSvg(plan, *report.history)});
    }
    deliverable.commands.push_back(PlanAgain(report, file.name));
  }
  for (const Run& run : source.runs.evidence) {
    deliverable.runs.push_back(run.id);
  }
  return deliverable;
}

}  // namespace edgewise
