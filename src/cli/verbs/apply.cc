// `edgewise apply`: a plan applied to programs that run, and undone.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <limits>
#include <memory>

#include "base/text.h"
#include "cli/verbs.h"
#include "execution/apply_plan.h"
#include "execution/undo_applied.h"
#include "report/apply_text.h"
#include "scheduling/plan_file.h"

namespace edgewise::cli {
namespace {

struct Options {
  std::string plan;
  std::vector<std::string> pids;
  bool dry_run = false;
  bool undo = false;
  bool force = false;
  bool no_cpusets = false;
  bool json = false;
};

Result<ApplyRequest> RequestFrom(const Options& options) {
  if (options.plan.empty()) {
    return Error{ErrorCode::kInvalid, "name the plan to apply, or say --undo"};
  }
  const auto yaml = ReadFile(options.plan);
  if (!yaml) {
    return yaml.error();
  }
  auto plan = ReadPlan(*yaml, options.plan);
  if (!plan) {
    return plan.error();
  }
  ApplyRequest request;
  request.plan = std::move(*plan);
  request.dry_run = options.dry_run;
  request.force = options.force;
  request.cpusets = !options.no_cpusets;
  for (const std::string& text : options.pids) {
    const size_t equals = text.rfind('=');
    const auto pid = equals == std::string::npos
                         ? std::nullopt
                         : ParseInt(std::string_view(text).substr(equals + 1));
    if (!pid || *pid <= 0 || *pid > std::numeric_limits<pid_t>::max()) {
      return Error{ErrorCode::kInvalid,
                   "--pid " + text + ": write TASK=PID, e.g. camera=1234"};
    }
    request.pids[text.substr(0, equals)] = static_cast<pid_t>(*pid);
  }
  return request;
}

int Undo(const Options& options, const Context& context) {
  const auto report = UndoApplied(context.home);
  if (!report) {
    return Fail(report.error());
  }
  if (options.json) {
    Print(UndoJson(*report));
  } else {
    for (const std::string& change : report->changes) {
      Print(change + "\n");
    }
    if (report->changes.empty() && report->problems.empty()) {
      Print("all is as it was before\n");
    }
  }
  for (const std::string& problem : report->problems) {
    PrintError(problem);
  }
  return report->problems.empty() ? kExitDone : kExitEnvironment;
}

int Execute(const Options& options, const Context& context) {
  if (options.undo) {
    return Undo(options, context);
  }
  const auto request = RequestFrom(options);
  if (!request) {
    return Fail(request.error());
  }
  const auto report =
      ApplyPlan(context.home, *request, [&](const AppliedChange& change) {
        if (!options.json) {
          Print(options.dry_run ? change.command + "\n"
                                : ChangeLine(change) + "\n");
        }
      });
  if (!report) {
    return Fail(report.error());
  }
  if (options.json) {
    Print(ApplyJson(*report, options.dry_run));
  } else {
    PrintToStderr(ApplyText(*report, StyleFor(STDERR_FILENO)));
  }
  return report->proven ? kExitDone : kExitNo;
}

}  // namespace

void AddApply(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "apply", "Apply a plan to programs that run, or undo that");
  auto options = std::make_shared<Options>();
  verb->add_option("PLAN", options->plan, "File that `edgewise plan` wrote");
  verb->add_option("--pid", options->pids,
                   "Which process a task is (default: the one that runs its "
                   "command); may be repeated")
      ->type_name("TASK=PID")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  auto* dry_run = verb->add_flag(
      "--dry-run", options->dry_run,
      "Change nothing; print the equivalent taskset, chrt and cgroup commands");
  verb->add_flag("--undo", options->undo,
                 "Put everything back to how it was before, also after a crash")
      ->excludes(dry_run);
  verb->add_flag("--no-cpusets", options->no_cpusets,
                 "Affinity alone, which programs may change themselves");
  verb->add_flag("--force", options->force,
                 "Also apply a plan that was made for another machine");
  verb->add_flag("--json", options->json, "Print JSON alone on stdout");
  verb->footer(
      "Programs that run by themselves have no executor: edf becomes fixed "
      "priorities,\nand the proof is redone for what is set. Exit code 1: "
      "applied, but not proven.\n"
      "Example: edgewise apply plan.yaml --dry-run; edgewise apply plan.yaml; "
      "edgewise apply --undo");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options, context); });
}

}  // namespace edgewise::cli
