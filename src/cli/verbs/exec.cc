// `edgewise exec`: a plan executed, and what became of every job.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "base/text.h"
#include "base/units.h"
#include "cards/card.h"
#include "cards/mark_card.h"
#include "cli/option_values.h"
#include "cli/output_file.h"
#include "cli/verbs.h"
#include "controls/guardian.h"
#include "execution/execute.h"
#include "execution/verdict.h"
#include "report/exec_tables.h"
#include "report/exec_text.h"
#include "scheduling/plan_file.h"

namespace edgewise::cli {
namespace {

struct Options {
  std::string plan;
  std::string duration = "60s";
  std::string ready_timeout = "30s";
  std::string watchdog = "10s";
  bool naive = false;
  bool compare = false;
  bool hold_latency = false;
  bool json = false;
  std::string html;
  std::string svg;
};

Result<ExecuteSettings> SettingsFrom(const Options& options) {
  const auto yaml = ReadFile(options.plan);
  if (!yaml) {
    return yaml.error();
  }
  ExecuteSettings settings;
  auto plan = ReadPlan(*yaml, options.plan);
  if (!plan) {
    return plan.error();
  }
  settings.plan = std::move(*plan);
  settings.plan_name = std::filesystem::path(options.plan).filename().string();
  settings.naive = options.naive;
  settings.hold_latency = options.hold_latency;
  if (const Result<void> times =
          ReadTimes({{"--duration", options.duration, settings.duration_ns},
                     {"--ready-timeout", options.ready_timeout,
                      settings.ready_timeout_ns},
                     {"--watchdog", options.watchdog, settings.watchdog_ns}});
      !times) {
    return times.error();
  }
  return settings;
}

// A line on the terminal while it runs.
ExecuteListener Listener(const ExecuteSettings& settings) {
  if (::isatty(STDERR_FILENO) != 1) {
    return nullptr;
  }
  const std::string what = settings.naive ? "the lab's way" : "as planned";
  return [what, total_ns = settings.duration_ns](const ExecuteProgress& at) {
    std::string line = "\r\033[K" + what + ": ";
    if (at.starting) {
      line += "waiting for the programs";
    } else {
      line += FormatDuration(static_cast<double>(at.elapsed_ns)) + " of " +
              FormatDuration(static_cast<double>(total_ns)) + ", " +
              FormatCount(at.jobs, "job") + ", " + FormatCount(at.missed) +
              " missed";
    }
    PrintToStderr(line);
  };
}

void ClearLine() {
  if (::isatty(STDERR_FILENO) == 1) {
    PrintToStderr("\r\033[K");
  }
}

// Cards that the execution speaks against get a mark; what cannot be marked is
// said.
void MarkCards(const Execution& execution, const Options& options,
               const std::string& plan_name) {
  for (const CardMark& mark : MarksOf(execution, plan_name)) {
    // A card is named as whoever made the plan saw it: from there, or beside
    // the plan.
    std::filesystem::path path = mark.card;
    if (!std::filesystem::exists(path)) {
      path = std::filesystem::path(options.plan).parent_path() / mark.card;
    }
    const auto yaml = ReadFile(path);
    const auto marked = yaml ? MarkFalsified(*yaml, mark.card, mark.text)
                             : Result<std::string>(yaml.error());
    const Result<void> written = marked ? WriteOutput(path.string(), *marked)
                                        : Result<void>(marked.error());
    PrintError(written ? mark.card + " is marked: " + mark.text
                       : "the card could not be marked: " +
                             written.error().message);
  }
}

int Show(const Options& options, const std::vector<Execution>& executions,
         const std::string& plan_name) {
  if (!options.html.empty()) {
    if (const Result<void> written =
            WriteOutput(options.html, ExecHtml(executions, plan_name));
        !written) {
      return Fail(written.error());
    }
  }
  if (!options.svg.empty()) {
    if (const Result<void> written =
            WriteOutput(options.svg, ExecChart(executions));
        !written) {
      return Fail(written.error());
    }
  }
  Print(options.json
            ? ExecJson(executions, plan_name)
            : ExecText(executions, plan_name, StyleFor(STDOUT_FILENO)));
  const ExecutionVerdict verdict = JudgeAll(executions);
  if (verdict.falsified && options.json) {
    PrintError(verdict.sentences.front());
  }
  return verdict.held ? kExitDone : kExitNo;
}

int Execute(const Options& options, const Context& context) {
  auto settings = SettingsFrom(options);
  if (!settings) {
    return Fail(settings.error());
  }
  (void)SweepStale(context.home);
  std::vector<Execution> executions;
  std::vector<bool> ways{options.naive};
  if (options.compare) {
    ways = {true, false};
  }
  for (const bool naive : ways) {
    settings->naive = naive;
    auto execution =
        edgewise::Execute(context.home, *settings, Listener(*settings));
    ClearLine();
    if (!execution) {
      return Fail(execution.error());
    }
    settings->group = execution->group;
    const bool cancelled = execution->cancelled;
    if (!execution->tasks.empty()) {
      executions.push_back(std::move(*execution));
    }
    if (cancelled) {
      PrintError("cancelled");
      if (!executions.empty()) {
        (void)Show(options, executions, settings->plan_name);
      }
      return kExitCancelled;
    }
  }
  MarkCards(executions.back(), options, settings->plan_name);
  return Show(options, executions, settings->plan_name);
}

}  // namespace

void AddExec(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "exec",
      "Execute a plan: release jobs by deadline, try to break its "
      "proof");
  auto options = std::make_shared<Options>();
  verb->add_option("PLAN", options->plan, "File that `edgewise plan` wrote")
      ->required();
  verb->add_option("--duration", options->duration,
                   "How long jobs are released (default 60s), each way")
      ->type_name("TIME");
  auto* naive = verb->add_flag(
      "--naive", options->naive,
      "The lab's way: one queue, one thread, waiting for the earliest "
      "deadline even if others are ready");
  verb->add_flag("--compare", options->compare,
                 "First the lab's way, then the plan, in one table")
      ->excludes(naive);
  verb->add_flag("--hold-latency", options->hold_latency,
                 "Keep idle cores awake (/dev/cpu_dma_latency), as cyclictest "
                 "does");
  verb->add_option("--ready-timeout", options->ready_timeout,
                   "How long programs may take to ask for their first job "
                   "(default 30s)")
      ->type_name("TIME");
  verb->add_option("--watchdog", options->watchdog,
                   "How long a job may take before its program counts as hung "
                   "(default 10s)")
      ->type_name("TIME");
  verb->add_option("--html", options->html, "Write a page with all of it")
      ->type_name("FILE");
  verb->add_option("--svg", options->svg, "Write the chart of response times")
      ->type_name("FILE");
  verb->add_flag("--json", options->json, "Print JSON alone on stdout");
  verb->footer(
      "Programs use Periodic of the in-app library; others are started once a "
      "job\n(process_per_job in the plan). Exit code 1: a deadline was missed, "
      "or a response\nwas above its proven bound.\n"
      "Example: edgewise exec plan.yaml --compare --duration 60s --html "
      "exec.html");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options, context); });
}

}  // namespace edgewise::cli
