// Before and after: the plan's jobs the lab's way, and as planned.
#include <fmt/format.h>

#include <filesystem>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "execution/read_execution.h"
#include "execution/verdict.h"
#include "project/deliverable.h"
#include "project/remake.h"
#include "project/run_files.h"
#include "project/wording.h"
#include "report/exec_tables.h"
#include "report/exec_text.h"
#include "store/iso_time.h"

namespace edgewise {
namespace {

struct Executed {
  const ProjectPlan* plan = nullptr;
  std::vector<Execution> executions;
  std::vector<Run> schedules;  // their Runs
};

// The first of the chosen groups that executed this plan; without executions
// if there is none.
Result<Executed> ExecutionOf(const DeliverableSource& source,
                             const ProjectPlan& plan) {
  const std::string experiment =
      "exec " + std::filesystem::path(plan.file.name).filename().string();
  for (const std::string& group : source.runs.executions) {
    ListFilter filter;
    filter.group = group;
    const auto runs = source.store.List(filter);
    if (!runs) {
      return runs.error();
    }
    if (runs->empty() || runs->front().experiment != experiment) {
      continue;
    }
    // One of another plan with the same file name is none of this.
    auto executions = ReadExecutions(source.store, group, plan.plan);
    if (!executions) {
      continue;
    }
    Executed executed{&plan, std::move(*executions), {}};
    for (const Execution& execution : executed.executions) {
      auto schedule = source.store.Find(execution.run_id);
      if (!schedule) {
        return schedule.error();
      }
      executed.schedules.push_back(std::move(*schedule));
    }
    return executed;
  }
  return Executed{};
}

std::string ExecAgain(const Executed& executed) {
  const bool both = executed.executions.size() > 1;
  const Execution& last = executed.executions.back();
  return fmt::format("edgewise exec {}{} --duration {}",
                     ShellQuote({executed.plan->file.name}),
                     both         ? " --compare"
                     : last.naive ? " --naive"
                                  : "",
                     TimeFlag(last.elapsed_ns / kNsPerMs * kNsPerMs));
}

Result<void> AddExecuted(const DeliverableSource& source,
                         const Executed& executed, Deliverable* deliverable) {
  const std::string& name = executed.plan->file.name;
  const std::string plan_name = std::filesystem::path(name).filename().string();
  deliverable->summary += (deliverable->summary.empty() ? "" : " ") +
                          Sentences(JudgeAll(executed.executions).sentences);
  for (const Run& run : executed.schedules) {
    if (Result<void> added = AddRunFiles(source.store, run, deliverable);
        !added) {
      return added;
    }
    deliverable->runs.push_back(run.id);
    const auto created = ParseIsoUtcNs(executed.plan->plan.created);
    if (created && run.started_utc_ns < *created) {
      deliverable->warnings.push_back(
          "Run " + run.id + " is older than " + name +
          ": what it says of bounds and C is of the plan as it is now");
    }
  }
  std::vector<PageSection> sections = ExecSections(executed.executions);
  for (PageSection& section : sections) {
    section.heading = name + ": " + section.heading;
    section.part = true;
  }
  std::move(sections.begin(), sections.end(),
            std::back_inserter(deliverable->sections));
  deliverable->commands.push_back(ExecAgain(executed));
  TextStyle style;
  style.width = 120;
  deliverable->files.push_back(
      {"exec/" + plan_name + ".txt",
       ExecText(executed.executions, plan_name, style)});
  deliverable->files.push_back({"exec/" + plan_name + ".json",
                                ExecJson(executed.executions, plan_name)});
  deliverable->files.push_back(
      {"exec/" + plan_name + ".svg", ExecChart(executed.executions)});
  return {};
}

}  // namespace

Result<Deliverable> ExecDeliverable(const DeliverableSource& source) {
  Deliverable deliverable;
  deliverable.title = "Deadlines before and after the plan";
  bool compared = false;
  for (const ProjectPlan& plan : source.folder.plans) {
    const auto executed = ExecutionOf(source, plan);
    if (!executed) {
      return executed.error();
    }
    if (executed->executions.empty()) {
      continue;
    }
    compared = compared || executed->executions.size() > 1;
    if (const Result<void> added = AddExecuted(source, *executed, &deliverable);
        !added) {
      return added.error();
    }
  }
  const std::string plan = source.folder.plans.empty()
                               ? "plan.yaml"
                               : source.folder.plans.front().file.name;
  const std::string compare =
      "edgewise exec " + ShellQuote({plan}) + " --compare --duration 60s";
  deliverable.there = compared;
  if (deliverable.sections.empty()) {
    deliverable.summary =
        source.folder.plans.empty()
            ? "There is no plan that could have been executed."
            : "The store has no execution of the plan.";
    deliverable.commands = {compare};
  } else if (!compared) {
    deliverable.summary +=
        " The plan was executed one way only; before and after need both.";
    deliverable.commands = {compare};
  }
  return deliverable;
}

}  // namespace edgewise
