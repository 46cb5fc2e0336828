// `edgewise agent record` and `edgewise agent capture`: Runs from live apps.
#include <CLI/CLI.hpp>
#include <memory>

#include "base/text.h"
#include "cli/option_values.h"
#include "cli/progress.h"
#include "cli/verbs/agent_verbs.h"
#include "live/control_client.h"
#include "live/record.h"
#include "report/run_json.h"
#include "report/run_text.h"
#include "sessions/session.h"
#include "store/analysis.h"

namespace edgewise::cli {
namespace {

struct Options {
  std::string app;
  std::string duration;
  std::string label;
  std::string note;
  std::string rate = "99";
  bool json = false;
};

int Show(const Store& store, const Run& run, bool json) {
  const auto analysis = Analyse(store, run);
  if (!analysis) {
    return Fail(analysis.error());
  }
  Print(json ? RunJson(run, *analysis)
             : RunText(run, *analysis, StyleFor(STDOUT_FILENO)));
  return run.end_reason == EndReason::kCancelled ? kExitCancelled : kExitDone;
}

int Record(const Options& options, const Context& context,
           const std::string& socket) {
  const auto duration = DurationOption("--for", options.duration);
  if (!duration) {
    return Fail(duration.error());
  }
  auto store = Store::Open(context.home);
  if (!store) {
    return Fail(store.error());
  }
  live::RecordSettings settings;
  settings.control_socket = live::ControlSocketOf(socket);
  settings.app = options.app;
  settings.duration_ns = duration->value_or(60 * kNsPerSecond);
  settings.label = options.label;
  settings.note = options.note;
  ProgressLine progress(true);
  const auto run = live::RecordLive(*store, settings, progress.Listener());
  progress.Clear();
  return run ? Show(*store, *run, options.json) : Fail(run.error());
}

int Capture(const Options& options, const Context& context,
            const std::string& socket) {
  const auto duration = DurationOption("--for", options.duration);
  if (!duration) {
    return Fail(duration.error());
  }
  const auto hz = ParseDouble(options.rate);
  if (!hz || *hz <= 0) {
    return Fail({ErrorCode::kInvalid,
                 "--rate: \"" + options.rate +
                     "\" is no number of samples a second, such as 99"});
  }
  auto store = Store::Open(context.home);
  if (!store) {
    return Fail(store.error());
  }
  const auto app =
      live::FindAppOfAgent(live::ControlSocketOf(socket), options.app);
  if (!app) {
    return Fail(app.error());
  }
  SessionSettings settings;
  settings.attach_pid = app->pid;
  settings.conditions.duration_ns = duration->value_or(10 * kNsPerSecond);
  settings.conditions.stack_hz = *hz;
  settings.label = options.label.empty() ? app->name : options.label;
  settings.note = options.note;
  ProgressLine progress(true);
  const auto run = RunSession(*store, settings, progress.Listener());
  progress.Clear();
  return run ? Show(*store, *run, options.json) : Fail(run.error());
}

void AddCommon(CLI::App& verb, Options& options, const char* duration) {
  verb.add_option("--app", options.app,
                  "The app's name, or NAME/INSTANCE; edgewise top lists them")
      ->type_name("APP")
      ->required();
  verb.add_option("--for", options.duration, duration)->type_name("TIME");
  verb.add_option("--label", options.label,
                  "Label of the Run (default: the app's name)")
      ->type_name("TEXT");
  verb.add_option("--note", options.note, "Note for the Run")
      ->type_name("TEXT");
  verb.add_flag("--json", options.json, "Print JSON alone on stdout");
}

}  // namespace

void AddAgentRecord(CLI::App& verb, Context& context,
                    const std::string& socket) {
  CLI::App* record = verb.add_subcommand(
      "record", "Record what a running app does, as a Run in the store");
  auto options = std::make_shared<Options>();
  AddCommon(*record, *options, "How long (default 60s)");
  record->footer(
      "The app goes on as before; the Run has its spans and metrics, and what "
      "it used.\n"
      "Example: edgewise agent record --app car-tracker --for 60s");
  record->callback([options, &context, &socket] {
    context.exit_code = Record(*options, context, socket);
  });
}

void AddAgentCapture(CLI::App& verb, Context& context,
                     const std::string& socket) {
  CLI::App* capture = verb.add_subcommand(
      "capture", "Sample the call stacks of a running app, as a Run");
  auto options = std::make_shared<Options>();
  AddCommon(*capture, *options, "How long (default 10s)");
  capture
      ->add_option("--rate", options->rate,
                   "Samples each second of CPU time (default 99)")
      ->type_name("HZ");
  capture->footer(
      "Example: edgewise agent capture --app car-tracker --for 10s");
  capture->callback([options, &context, &socket] {
    context.exit_code = Capture(*options, context, socket);
  });
}

}  // namespace edgewise::cli
