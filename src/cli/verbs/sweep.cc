// `edgewise sweep`: a program over cores, threads, quotas and whatever else.
#include "experiments/sweep.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "base/text.h"
#include "base/units.h"
#include "cli/output_file.h"
#include "cli/progress.h"
#include "cli/verbs.h"
#include "cli/verbs/sweep_options.h"
#include "controls/guardian.h"
#include "experiments/curve.h"
#include "report/curve_page.h"
#include "report/curve_text.h"
#include "report/figures.h"
#include "sessions/outcome.h"

namespace edgewise::cli {
namespace {

// One line a Run: what it was and what came out.
std::string EventLine(const SweepEvent& event, const std::string& span) {
  std::string line = std::to_string(event.done) + "/" +
                     std::to_string(event.all) + "  " + event.point + ": ";
  if (event.measured == nullptr) {
    return line + "could not start: " + event.failure + "\n";
  }
  const MeasuredRun& measured = *event.measured;
  if (const int code = ExitCodeOf(measured.run); code != 0) {
    return line + "failed with code " + std::to_string(code) +
           " (edgewise show " + measured.run.id + ")\n";
  }
  const RunFigures figures =
      FiguresOf(measured.run, measured.analysis,
                span.empty() ? ItemSpan(measured.analysis) : span);
  if (const auto throughput = figures[FigureKind::kThroughput]) {
    line += Figure(*throughput) + " /s, ";
  }
  if (const auto p50 = figures[FigureKind::kP50]) {
    line += "p50 " + FormatDuration(*p50);
  }
  if (measured.disturbance.disturbed()) {
    line += "; disturbed: " + measured.disturbance.reason +
            (event.again ? "; again" : "; kept");
  }
  return line + "\n";
}

Result<void> WriteFiles(const SweepVerbOptions& options, const Curve& curve) {
  if (!options.svg.empty()) {
    if (const auto made = MakeOutputFolder(options.svg); !made) {
      return made;
    }
    for (const CurveDrawing& chart : CurveCharts(curve)) {
      const auto path =
          std::filesystem::path(options.svg) / (chart.name + ".svg");
      if (const auto written = WriteOutput(path.string(), chart.svg);
          !written) {
        return written;
      }
    }
  }
  if (!options.html.empty()) {
    return WriteOutput(options.html, CurveHtml(curve));
  }
  return {};
}

int Show(const SweepVerbOptions& options, const Store& store,
         const std::string& group) {
  const auto curve =
      MakeCurve(store, group, {options.span, options.sweep.limits});
  if (!curve) {
    return Fail(curve.error());
  }
  if (const auto written = WriteFiles(options, *curve); !written) {
    return Fail(written.error());
  }
  if (options.html != "-") {
    Print(options.json ? CurveJson(*curve)
                       : CurveText(*curve, StyleFor(STDOUT_FILENO)));
  }
  return kExitDone;
}

// The group of a sweep by its own id, or by any of its Runs.
Result<std::string> GroupNamed(const Store& store, const std::string& name) {
  ListFilter filter;
  filter.group = name;
  filter.limit = 1;
  const auto runs = store.List(filter);
  if (!runs) {
    return runs.error();
  }
  if (!runs->empty()) {
    return name;
  }
  const auto run = store.Find(name);
  if (!run) {
    return run.error();
  }
  if (run->group.empty()) {
    return Error{ErrorCode::kInvalid, "Run " + run->id + " is of no sweep"};
  }
  return run->group;
}

int Execute(SweepVerbOptions& options, const CLI::App& verb,
            const Context& context) {
  if (options.html == "-" && options.json) {
    return Fail({ErrorCode::kInvalid,
                 "--html - and --json both want stdout: write one to a file"});
  }
  if (!options.show.empty()) {
    const auto store = Store::Open(context.home);
    if (!store) {
      return Fail(store.error());
    }
    const auto group = GroupNamed(*store, options.show);
    return group ? Show(options, *store, *group) : Fail(group.error());
  }
  const auto request = SweepRequestFrom(options, verb, context);
  if (!request) {
    return Fail(request.error());
  }
  const auto plan = PlanSweep(*request);
  if (!plan) {
    return Fail(plan.error());
  }
  auto store = Store::Open(context.home);
  if (!store) {
    return Fail(store.error());
  }
  (void)SweepStale(context.home);
  ProgressLine progress(true);
  SweepHooks hooks;
  hooks.progress = progress.Listener();
  hooks.event = [&](const SweepEvent& event) {
    progress.Clear();
    if (!event.point.empty()) {
      PrintToStderr(EventLine(event, options.span));
      return;
    }
    PrintToStderr(FormatCount(std::ssize(plan->points), "point") + ", " +
                  FormatCount(std::ssize(plan->steps), "Run") +
                  " in random order, seed " + std::to_string(options.seed) +
                  (event.done > 0
                       ? "; " + std::to_string(event.done) +
                             " are there from an interrupted sweep (--fresh "
                             "begins anew)"
                       : "") +
                  "\n");
  };
  if (options.json) {
    hooks.event = nullptr;
  }
  const auto outcome = RunSweep(*store, *plan, options.sweep, hooks);
  progress.Clear();
  if (!outcome) {
    return Fail(outcome.error());
  }
  if (outcome->cancelled) {
    PrintError("cancelled: the same command goes on where it stopped (sweep " +
               outcome->group + ")");
    return kExitCancelled;
  }
  return Show(options, *store, outcome->group);
}

}  // namespace

void AddSweep(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "sweep", "Run a command over cores, threads, quotas and other values");
  auto options = std::make_shared<SweepVerbOptions>();
  verb->prefix_command();
  AddSweepOptions(*verb, *options);
  verb->footer(
      "Every combination is run --repeat times, in rounds of random order. An "
      "interrupted\nsweep goes on where it stopped when the same command is "
      "given again.\n"
      "Examples:\n"
      "  edgewise sweep --cpus 0 --cpus 0-1 --threads 1,2,4 -- ./app --max\n"
      "  edgewise sweep --vary precision=fp32,int8 --html sweep.html -- ./dl "
      "--precision {precision}\n"
      "  edgewise sweep --load single,poisson:20,at-once -- ./app --items "
      "500\n"
      "  edgewise sweep --show last --svg curves/");
  verb->callback([verb, options, &context] {
    context.exit_code = Execute(*options, *verb, context);
  });
}

}  // namespace edgewise::cli
