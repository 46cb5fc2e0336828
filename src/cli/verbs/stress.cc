// `edgewise stress`: pressure on one resource, with a check that it is there.
#include <sched.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <memory>

#include "base/clock.h"
#include "base/units.h"
#include "cli/option_values.h"
#include "cli/verbs.h"
#include "report/stress_text.h"
#include "stress/probe.h"
#include "stress/stressor.h"

namespace edgewise::cli {
namespace {

struct Options {
  std::string spec;
  std::string duration;
  std::string cpus;
  std::string size;
  std::string folder;
  int threads = 1;
  bool probe = false;
  bool json = false;
};

std::atomic<bool> g_cancelled = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void CatchStopSignals() {
  struct sigaction action {};
  action.sa_handler = [](int) { g_cancelled = true; };
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    ::sigaction(number, &action, nullptr);
  }
}

Result<void> StayOn(const std::string& list) {
  const auto cpus = ParseCpuList(list);
  if (!cpus) {
    return Error{ErrorCode::kInvalid, "--cpus: " + cpus.error().message};
  }
  cpu_set_t cores;
  CPU_ZERO(&cores);
  for (const int cpu : *cpus) {
    CPU_SET(static_cast<size_t>(cpu), &cores);
  }
  if (::sched_setaffinity(0, sizeof cores, &cores) != 0) {
    return Error{ErrorCode::kInvalid,
                 "--cpus " + list + " was refused (" + ErrnoText() +
                     "): edgewise doctor shows the cores there are"};
  }
  return {};
}

Result<StressSettings> SettingsFrom(const Options& options) {
  StressSettings settings;
  const auto spec = ParseStressSpec(options.spec);
  if (!spec) {
    return spec.error();
  }
  settings.spec = *spec;
  settings.threads = options.threads;
  settings.folder = options.folder;
  if (!options.size.empty()) {
    const auto size = ParseBytes(options.size);
    if (!size) {
      return Error{ErrorCode::kInvalid, "--size: " + size.error().message};
    }
    if (spec->kind != StressKind::kMemory && spec->kind != StressKind::kCache) {
      return Error{ErrorCode::kInvalid,
                   "--size is for memory and cache: leave it out"};
    }
    settings.size_bytes = *size;
  }
  return settings;
}

int Execute(const Options& options) {
  const auto settings = SettingsFrom(options);
  if (!settings) {
    return Fail(settings.error());
  }
  const auto duration_ns = DurationOption("--duration", options.duration);
  if (!duration_ns) {
    return Fail(duration_ns.error());
  }
  if (!options.cpus.empty()) {
    if (const Result<void> placed = StayOn(options.cpus); !placed) {
      return Fail(placed.error());
    }
  }
  CatchStopSignals();
  const StopClock forever(g_cancelled);
  const StopClock stop = *duration_ns ? forever.Within(**duration_ns) : forever;
  if (options.probe) {
    const Result<void> probed = RunProbe(settings->spec.kind, stop);
    return probed ? kExitDone : Fail(probed.error());
  }
  auto stressor = MakeStressor(*settings);
  if (!stressor) {
    return Fail(stressor.error());
  }
  const auto outcome = (*stressor)->Press(stop);
  if (!outcome) {
    return Fail(outcome.error());
  }
  Print(options.json
            ? StressJson(settings->spec, *outcome)
            : StressText(settings->spec, *outcome, StyleFor(STDOUT_FILENO)));
  return outcome->applied ? kExitDone : kExitNo;
}

}  // namespace

void AddStress(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "stress", "Put pressure on one resource, and check that it is there");
  auto options = std::make_shared<Options>();
  verb->add_option("KIND[:DIAL]", options->spec,
                   "cpu, cache, bandwidth, memory, disk or network, with a "
                   "dial from 0 (idle) to 100 (default)")
      ->required();
  verb->add_option("--duration", options->duration,
                   "How long (default: until Ctrl-C or SIGTERM)")
      ->type_name("TIME");
  verb->add_option("--cpus", options->cpus, "Cores it may use, e.g. 0 or 0,2-3")
      ->type_name("LIST");
  verb->add_option("--size", options->size,
                   "memory: what 100% is (default: all that is available but a "
                   "tenth of the machine's); cache: size of the last-level "
                   "cache, where the kernel does not tell")
      ->type_name("SIZE");
  verb->add_option("--threads", options->threads,
                   "Threads of cache and bandwidth; of cpu: more than 1 "
                   "share the load evenly (default 1)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""));
  verb->add_option("--folder", options->folder,
                   "Where disk writes (default $TMPDIR, else /var/tmp)")
      ->type_name("DIR");
  verb->add_flag("--probe", options->probe,
                 "Feel pressure instead: record small items of work on cpu, "
                 "cache or bandwidth as spans");
  verb->add_flag("--json", options->json, "Print JSON alone on stdout");
  verb->footer(
      "Exit code 0: the pressure was applied; 1: it was not reached.\n"
      "Example: edgewise stress bandwidth:50 --duration 10s");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options); });
}

}  // namespace edgewise::cli
