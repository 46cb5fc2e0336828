// `edgewise calibrate`: what this machine itself adds to every job, and where a
// device stands among those that a model of latencies knows.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/clock.h"
#include "base/units.h"
#include "cli/option_values.h"
#include "cli/output_file.h"
#include "cli/verbs.h"
#include "cli/verbs/calibrate_device.h"
#include "controls/guardian.h"
#include "execution/calibrate_timers.h"
#include "report/timers_text.h"
#include "sessions/settings.h"

namespace edgewise::cli {
namespace {

struct Options {
  bool timers = false;
  std::string cores;
  std::string interval;
  std::string duration;
  bool hold_latency = false;
  DeviceOptions device;
  bool json = false;
};

Result<CalibrateSettings> SettingsFrom(const Options& options) {
  CalibrateSettings settings;
  settings.hold_latency = options.hold_latency;
  settings.cores = UsableCpus();
  if (!options.cores.empty()) {
    auto cores = ParseCpuList(options.cores);
    if (!cores) {
      return Error{ErrorCode::kInvalid, "--cores: " + cores.error().message};
    }
    settings.cores = std::move(*cores);
  }
  if (const Result<void> times =
          ReadTimes({{"--interval", options.interval, settings.period_ns},
                     {"--duration", options.duration, settings.duration_ns}});
      !times) {
    return times.error();
  }
  if (settings.period_ns < kNsPerMs / 10) {
    return Error{ErrorCode::kInvalid,
                 "--interval " + options.interval +
                     ": give a time of at least 100us, such as 2ms"};
  }
  return settings;
}

ExecuteListener Listener(int64_t total_ns) {
  if (::isatty(STDERR_FILENO) != 1) {
    return nullptr;
  }
  return [total_ns](const ExecuteProgress& at) {
    PrintToStderr("\r\033[Ktimers: " +
                  FormatDuration(static_cast<double>(at.elapsed_ns)) + " of " +
                  FormatDuration(static_cast<double>(total_ns)) + ", " +
                  FormatCount(at.jobs, "job"));
  };
}

int Execute(const Options& options, const Context& context) {
  if (options.timers == !options.device.device.empty()) {
    return Fail({ErrorCode::kInvalid,
                 "say what to calibrate: --timers, or --device NAME"});
  }
  if (!options.timers) {
    return CalibrateDeviceVerb(options.device, context, options.json);
  }
  const auto settings = SettingsFrom(options);
  if (!settings) {
    return Fail(settings.error());
  }
  (void)SweepStale(context.home);
  const auto calibration =
      CalibrateTimers(context.home, *settings, Listener(settings->duration_ns));
  if (::isatty(STDERR_FILENO) == 1) {
    PrintToStderr("\r\033[K");
  }
  if (!calibration) {
    return Fail(calibration.error());
  }
  if (calibration->execution.cancelled) {
    PrintError("cancelled; nothing was kept");
    return kExitCancelled;
  }
  if (const Result<void> written = WriteOutput(
          TimersFile(context.home).string(), WriteTimers(calibration->timers));
      !written) {
    return Fail(written.error());
  }
  Print(options.json ? TimersJson(*calibration)
                     : TimersText(*calibration, StyleFor(STDOUT_FILENO)));
  return kExitDone;
}

}  // namespace

void AddCalibrate(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "calibrate",
      "Measure what this machine adds to every job, or place a new device");
  auto options = std::make_shared<Options>();
  verb->add_flag("--timers", options->timers,
                 "How late released jobs start, and what handing over from "
                 "one to the next costs; later plans count with it");
  verb->add_option("--cores", options->cores,
                   "Cores to measure (default: all that may be used)")
      ->type_name("LIST");
  verb->add_option("--interval", options->interval,
                   "Time between releases (default 2ms)")
      ->type_name("TIME");
  verb->add_option("--duration", options->duration, "How long (default 10s)")
      ->type_name("TIME");
  verb->add_flag("--hold-latency", options->hold_latency,
                 "Keep idle cores awake (/dev/cpu_dma_latency), as cyclictest "
                 "does; only right for plans that are executed so");
  AddDeviceOptions(*verb, options->device);
  verb->add_flag("--json", options->json, "Print JSON alone on stdout");
  verb->footer(
      "Measure while the machine does what it usually does: an idle one "
      "promises\ntoo much.\n"
      "Example: edgewise calibrate --timers --duration 30s\n"
      "         edgewise calibrate --device \"My board\" -o mine.ewm");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options, context); });
}

}  // namespace edgewise::cli
