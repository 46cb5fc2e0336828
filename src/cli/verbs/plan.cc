// `edgewise plan`: cards to a plan with its proof, or why there is none.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/clock.h"
#include "base/units.h"
#include "cli/output_file.h"
#include "cli/verbs.h"
#include "cli/verbs/plan_inputs.h"
#include "probes/machine.h"
#include "report/gantt.h"
#include "report/plan_text.h"
#include "scheduling/explain_plan.h"
#include "scheduling/plan_file.h"

namespace edgewise::cli {
namespace {

struct Options {
  PlanOptions plan;
  std::string output;
  std::string svg;
  std::string html;
  bool explain = false;
  bool gantt = false;
  bool json = false;
};

std::string MachineName(const Machine& machine) {
  return machine.hostname + " (" + std::to_string(machine.cores) + " × " +
         (machine.cpu_model.empty() ? machine.architecture
                                    : machine.cpu_model) +
         ")";
}

Result<PlanReport> MakeReport(const Options& options) {
  auto inputs = ReadPlanInputs(options.plan);
  if (!inputs) {
    return inputs.error();
  }
  auto answer = scheduling::MakePlan(inputs->request);
  if (!answer) {
    return answer.error();
  }
  PlanReport report;
  report.request = std::move(inputs->request);
  report.answer = std::move(*answer);
  Plan& plan = report.answer.plan;
  const Machine machine = ReadMachine();
  plan.machine = machine.fingerprint;
  plan.machine_name = MachineName(machine);
  plan.created = FormatUtc(UtcNs());
  plan.notes = std::move(inputs->notes);
  if (!report.answer.found) {
    report.remedies = scheduling::FindRemedies(
        report.request, inputs->alternatives, inputs->spare_cores);
  }
  if (options.explain || !options.html.empty()) {
    report.explanation = scheduling::ExplainPlan(report.request, report.answer);
  }
  if (options.gantt || options.json || !options.svg.empty() ||
      !options.html.empty()) {
    auto history = scheduling::FirstHyperperiod(plan);
    if (!history) {
      return history.error();
    }
    report.history = std::move(*history);
  }
  return report;
}

Result<void> WriteFiles(const Options& options, const PlanReport& report) {
  Result<void> written;
  if (!options.html.empty()) {
    written = WriteOutput(options.html, PlanHtml(report));
  }
  if (written && !options.svg.empty()) {
    written =
        WriteOutput(options.svg, GanttSvg(report.answer.plan, *report.history));
  }
  if (written && report.answer.found && !options.output.empty()) {
    written = WriteOutput(options.output, WritePlan(report.answer.plan));
  }
  return written;
}

int Execute(const Options& options) {
  auto report = MakeReport(options);
  if (!report) {
    return Fail(report.error());
  }
  if (const Result<void> written = WriteFiles(options, *report); !written) {
    return Fail(written.error());
  }
  if (options.json) {
    Print(PlanJson(*report));
  } else {
    PlanReport shown = *report;
    if (!options.gantt) {
      shown.history.reset();
    }
    if (!options.explain) {
      shown.explanation.clear();
    }
    PrintToStderr(PlanText(shown, StyleFor(STDERR_FILENO)));
    if (report->answer.found && options.output.empty()) {
      Print(WritePlan(report->answer.plan));
    }
  }
  return report->answer.found ? kExitDone : kExitNo;
}

}  // namespace

void AddPlan(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "plan", "Make a plan of cards that provably meets every deadline");
  auto options = std::make_shared<Options>();
  PlanOptions& plan = options->plan;
  verb->add_option("CARD", plan.files,
                   "Cards with period_ms and wcet_ms, or task files of rt-app "
                   "(.json)")
      ->required();
  verb->add_option("--cores", plan.cores,
                   "Cores to plan for (default: all that may be used)")
      ->type_name("LIST");
  verb->add_option("--reserve", plan.reserve,
                   "Share of each core left to the system (default 10%)")
      ->type_name("SHARE");
  verb->add_option("--executor", plan.executor,
                   "edf (default: user space, to completion), edf-preemptive, "
                   "fifo, rr, deadline or other (ordinary policy, quotas)")
      ->type_name("NAME");
  verb->add_flag("--optimal", plan.optimal,
                 "Search for the fewest cores, exactly");
  verb->add_option("--or", plan.alternatives,
                   "Card that may replace a task if there is no plan else, "
                   "e.g. the INT8 one: CARD of the same name, or TASK=CARD; "
                   "may be repeated")
      ->type_name("[TASK=]CARD")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  verb->add_flag("--accept-observed", plan.wcet.accept_observed,
                 "Also take a wcet_ms that is the largest of fewer than 59 "
                 "samples");
  verb->add_flag("--alone", plan.wcet.alone,
                 "Take wcet_ms as it is, without what neighbours cost");
  verb->add_option("--latency", plan.latency,
                   "How late a released job may be seen (default: as "
                   "measured by calibrate --timers, else at once)")
      ->type_name("TIME");
  verb->add_option("--overhead", plan.overhead,
                   "What starting and switching cost a job (default: as "
                   "measured by calibrate --timers, else nothing)")
      ->type_name("TIME");
  verb->add_option("-o,--output", options->output,
                   "Write the plan to this file (default: stdout)")
      ->type_name("FILE");
  verb->add_flag("--explain", options->explain,
                 "Say why each task is on its core, where C comes from, and "
                 "what the proofs assume");
  verb->add_flag("--gantt", options->gantt,
                 "Show what the plan does from a common start on");
  verb->add_option("--svg", options->svg, "Write that picture as SVG")
      ->type_name("FILE");
  verb->add_option("--html", options->html, "Write a page with all of it")
      ->type_name("FILE");
  verb->add_flag("--json", options->json, "Print JSON alone on stdout");
  verb->footer(
      "The plan goes to stdout, a summary to stderr. Exit code 1: there is no "
      "plan;\nthe smallest changes that would make one are named, each "
      "proven.\n"
      "Example: edgewise plan cards/*.yaml --cores 0-3 --explain > plan.yaml");
  verb->callback([options, &context] {
    options->plan.home = context.home;
    context.exit_code = Execute(*options);
  });
}

}  // namespace edgewise::cli
