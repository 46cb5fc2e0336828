#include "cli/verbs/sweep_options.h"

#include <CLI/CLI.hpp>
#include <utility>

#include "cli/option_values.h"
#include "cli/verbs/command_words.h"
#include "experiments/knob.h"

namespace edgewise::cli {
namespace {

Result<std::vector<Knob>> KnobsFrom(const SweepVerbOptions& options) {
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

void AddKnobOptions(CLI::App& verb, SweepVerbOptions& options) {
  const auto text = [&verb](const char* flag, std::string& value,
                            const char* type, const char* description) {
    verb.add_option(flag, value, description)->type_name(type);
  };
  const auto list = [&verb](const char* flag, std::vector<std::string>& value,
                            const char* type, const char* description) {
    AddRepeated(verb, flag, value, type, description);
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

void AddSweepOptions(CLI::App& verb, SweepVerbOptions& options) {
  AddKnobOptions(verb, options);
  verb.add_option("--repeat", options.repeat,
                  "Runs of each point (default 5, which intervals need)")
      ->type_name("N")
      ->check(CLI::Range(1, 100000).description(""));
  verb.add_option("--seed", options.seed, "Of the random order (default 1)")
      ->type_name("N");
  verb.add_option("--duration", options.run.duration,
                  "A planned end of each Run, for programs without one")
      ->type_name("TIME");
  verb.add_option("--span", options.span,
                  "The span that is one item (default: the one that most of "
                  "the time is spent in)")
      ->type_name("NAME");
  verb.add_option("--cool-down", options.cool_down,
                  "Pause between Runs (default 500ms), longer while the "
                  "board is 5 degrees warmer than at the start")
      ->type_name("TIME");
  verb.add_option("--retries", options.sweep.retries,
                  "How often a disturbed Run is made again (default 2)")
      ->type_name("N")
      ->check(CLI::Range(0, 1000).description(""));
  DisturbanceLimits& limits = options.sweep.limits;
  verb.add_option("--limit-others", limits.others_percent,
                  "CPU use of other programs that disturbs, in percent of a "
                  "core (default 10; 0: none does)")
      ->type_name("PERCENT");
  verb.add_option("--limit-steal", limits.steal_percent,
                  "The same for time that the hypervisor takes (default 2)")
      ->type_name("PERCENT");
  verb.add_option("--limit-pressure", limits.pressure_percent,
                  "Time spent waiting for memory or disk that disturbs "
                  "(default 20)")
      ->type_name("PERCENT");
  verb.add_flag("--fresh", options.sweep.fresh,
                "Begin anew instead of going on with an interrupted sweep");
  verb.add_option("--show", options.show,
                  "Measure nothing: show a sweep again, by its id or a Run "
                  "of it")
      ->type_name("ID");
  verb.add_option("--html", options.html, "Write a page with all curves")
      ->type_name("FILE");
  verb.add_option("--svg", options.svg, "Write each curve as an SVG file")
      ->type_name("DIR");
  AddMeasuringOptions(verb, options.run);
  verb.add_flag("--json", options.json, "Print JSON alone on stdout");
}

Result<SweepRequest> SweepRequestFrom(SweepVerbOptions& options,
                                      const CLI::App& verb,
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
  const auto pause = DurationOrZeroOption("--cool-down", options.cool_down);
  if (!pause) {
    return pause.error();
  }
  if (*pause) {
    options.sweep.cool_down_ns = **pause;
  }
  auto knobs = KnobsFrom(options);
  if (!knobs) {
    return knobs.error();
  }
  return SweepRequest{std::move(*base), std::move(*knobs), options.repeat,
                      options.seed};
}

}  // namespace edgewise::cli
