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
#include "cli/verbs/command_words.h"
#include "cli/verbs/run_options.h"
#include "controls/guardian.h"
#include "experiments/curve.h"
#include "report/curve_page.h"
#include "report/curve_text.h"
#include "report/figures.h"
#include "sessions/outcome.h"

namespace edgewise::cli {
namespace {

struct Options {
  RunOptions run;
  std::vector<std::string> cpus;
  std::string threads;
  std::string frequency;
  std::string quota;
  std::string memory;
  std::string load;
  std::vector<std::string> vary;
  std::string duration;
  std::string cool_down;
  std::string span;
  std::string show;
  std::string html;
  std::string svg;
  int repeat = 5;
  uint64_t seed = 1;
  SweepOptions sweep;
  bool json = false;
};

Result<std::vector<Knob>> KnobsFrom(const Options& options) {
  std::vector<Knob> knobs;
  for (const std::string& text : options.vary) {
    auto knob = ParseKnob(text);
    if (!knob) {
      return knob.error();
    }
    knobs.push_back(std::move(*knob));
  }
  const std::pair<std::string_view, const std::string*> lists[] = {
      {kLoadKnob, &options.load},
      {kMemoryKnob, &options.memory},
      {kFrequencyKnob, &options.frequency},
      {kQuotaKnob, &options.quota},
  };
  for (const auto& [name, values] : lists) {
    if (values->empty()) {
      continue;
    }
    auto knob = ParseKnobValues(name, *values);
    if (!knob) {
      return Error{ErrorCode::kInvalid, "--" + knob.error().message};
    }
    knobs.push_back(std::move(*knob));
  }
  if (!options.cpus.empty()) {
    knobs.push_back({std::string(kCpusKnob), options.cpus});
  }
  if (!options.threads.empty()) {
    auto knob = ParseKnobValues(kThreadsKnob, options.threads);
    if (!knob) {
      return Error{ErrorCode::kInvalid, "--" + knob.error().message};
    }
    knobs.push_back(std::move(*knob));
  }
  for (size_t i = 0; i < knobs.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (knobs[i].name == knobs[j].name) {
        return Error{ErrorCode::kInvalid, "--vary " + knobs[i].name +
                                              " is there twice: put all its "
                                              "values into one"};
      }
    }
  }
  if (knobs.empty()) {
    return Error{ErrorCode::kInvalid,
                 "there is nothing to sweep: give --threads 1,2,4, --cpus 0 "
                 "--cpus 0-1, --quota, --memory, --frequency, --load or --vary "
                 "NAME=…"};
  }
  return knobs;
}

Result<SweepRequest> RequestFrom(Options& options, const CLI::App& verb,
                                 const Context& context) {
  auto base = SettingsFrom(options.run);
  if (!base) {
    return base.error();
  }
  auto command = CommandFrom(verb, context);
  if (!command) {
    return command.error();
  }
  base->command = std::move(*command);
  if (!options.duration.empty()) {
    const auto duration = ParseDurationNs(options.duration);
    if (!duration) {
      return Error{ErrorCode::kInvalid,
                   "--duration: " + duration.error().message};
    }
    base->conditions.duration_ns = *duration;
  }
  if (options.cool_down == "0" || options.cool_down == "0s") {
    options.sweep.cool_down_ns = 0;
  } else if (!options.cool_down.empty()) {
    const auto pause = ParseDurationNs(options.cool_down);
    if (!pause) {
      return Error{ErrorCode::kInvalid,
                   "--cool-down: " + pause.error().message};
    }
    options.sweep.cool_down_ns = *pause;
  }
  auto knobs = KnobsFrom(options);
  if (!knobs) {
    return knobs.error();
  }
  return SweepRequest{std::move(*base), std::move(*knobs), options.repeat,
                      options.seed};
}

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

Result<void> WriteFiles(const Options& options, const Curve& curve) {
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

int Show(const Options& options, const Store& store, const std::string& group) {
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

int Execute(Options& options, const CLI::App& verb, const Context& context) {
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
  const auto request = RequestFrom(options, verb, context);
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

void AddKnobOptions(CLI::App& verb, Options& options) {
  const auto text = [&verb](const char* flag, std::string& value,
                            const char* type, const char* description) {
    verb.add_option(flag, value, description)->type_name(type);
  };
  const auto list = [&verb](const char* flag, std::vector<std::string>& value,
                            const char* type, const char* description) {
    verb.add_option(flag, value, description)
        ->type_name(type)
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
  };
  list("--cpus", options.cpus, "LIST",
       "Cores it may use; once for each set: --cpus 0 --cpus 0-1");
  text("--threads", options.threads, "N,N…",
       "Thread counts, as run --threads sets them");
  text("--quota", options.quota, "CORES,…",
       "CPU quotas, e.g. 0.5,1,2 (needs a cpu cgroup)");
  text("--memory", options.memory, "SIZE,…",
       "Memory limits, e.g. 100Mi,200Mi (needs a memory cgroup)");
  text("--frequency", options.frequency, "CLOCK,…",
       "Clocks to hold the cores at, e.g. 600MHz,1.2GHz (needs cpufreq and "
       "root)");
  text("--load", options.load, "WAY,…",
       "single (one at a time), poisson:RATE, at-once; passed as --max, "
       "--rate RATE --arrivals poisson, --arrivals at-once, where {load} "
       "stands or at the end");
  list("--vary", options.vary, "NAME=V,V…",
       "Puts each value where {NAME} stands in the command, --env, --prepare "
       "and --cleanup; may be repeated");
}

}  // namespace

void AddSweep(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "sweep", "Run a command over cores, threads, quotas and other values");
  auto options = std::make_shared<Options>();
  verb->prefix_command();
  AddKnobOptions(*verb, *options);
  verb->add_option("--repeat", options->repeat,
                   "Runs of each point (default 5, which intervals need)")
      ->type_name("N")
      ->check(CLI::Range(1, 100000).description(""));
  verb->add_option("--seed", options->seed, "Of the random order (default 1)")
      ->type_name("N");
  verb->add_option("--duration", options->duration,
                   "A planned end of each Run, for programs without one")
      ->type_name("TIME");
  verb->add_option("--span", options->span,
                   "The span that is one item (default: the one that most of "
                   "the time is spent in)")
      ->type_name("NAME");
  verb->add_option("--cool-down", options->cool_down,
                   "Pause between Runs (default 500ms), longer while the "
                   "board is 5 degrees warmer than at the start")
      ->type_name("TIME");
  verb->add_option("--retries", options->sweep.retries,
                   "How often a disturbed Run is made again (default 2)")
      ->type_name("N")
      ->check(CLI::Range(0, 1000).description(""));
  DisturbanceLimits& limits = options->sweep.limits;
  verb->add_option("--limit-others", limits.others_percent,
                   "CPU use of other programs that disturbs, in percent of a "
                   "core (default 10; 0: none does)")
      ->type_name("PERCENT");
  verb->add_option("--limit-steal", limits.steal_percent,
                   "The same for time that the hypervisor takes (default 2)")
      ->type_name("PERCENT");
  verb->add_option("--limit-pressure", limits.pressure_percent,
                   "Time spent waiting for memory or disk that disturbs "
                   "(default 20)")
      ->type_name("PERCENT");
  verb->add_flag("--fresh", options->sweep.fresh,
                 "Begin anew instead of going on with an interrupted sweep");
  verb->add_option("--show", options->show,
                   "Measure nothing: show a sweep again, by its id or a Run "
                   "of it")
      ->type_name("ID");
  verb->add_option("--html", options->html, "Write a page with all curves")
      ->type_name("FILE");
  verb->add_option("--svg", options->svg, "Write each curve as an SVG file")
      ->type_name("DIR");
  AddMeasuringOptions(*verb, options->run);
  verb->add_flag("--json", options->json, "Print JSON alone on stdout");
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
