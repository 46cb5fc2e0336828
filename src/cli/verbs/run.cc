// `edgewise run`: measure a command, an app file, or a process that runs
// already.
#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

#include "base/units.h"
#include "cli/progress.h"
#include "cli/verbs.h"
#include "cli/verbs/command_words.h"
#include "cli/verbs/run_app.h"
#include "cli/verbs/run_options.h"
#include "containers/sweep_containers.h"
#include "controls/guardian.h"
#include "report/group_text.h"
#include "report/run_json.h"
#include "report/run_text.h"
#include "sessions/outcome.h"
#include "sessions/repeat.h"
#include "sessions/session.h"
#include "store/analysis.h"

namespace edgewise::cli {
namespace {

// As env(1) and timeout(1).
constexpr int kExitFailed = 125;
constexpr int kExitNotExecutable = 126;
constexpr int kExitNotFound = 127;

struct Options {
  RunOptions run;
  int pid = 0;
  int repeat = 1;
  std::string image;   // of an app file
  std::string target;  // of an app file
  bool json = false;
  bool quiet = false;
};

int FailRun(const Error& error) {
  PrintError(error.message);
  return kExitFailed;
}

// A command that cannot be started has exit codes of its own.
int FailLaunch(const Error& error) {
  PrintError(error.message);
  switch (error.code) {
    case ErrorCode::kNotFound:
      return kExitNotFound;
    case ErrorCode::kPermission:
      return kExitNotExecutable;
    default:
      return kExitFailed;
  }
}

Result<SessionSettings> Settings(const Options& options, const CLI::App& verb,
                                 const Context& context) {
  auto settings = SettingsFrom(options.run);
  if (!settings) {
    return settings;
  }
  auto command = CommandFrom(verb, context);
  if (!command) {
    return command.error();
  }
  settings->command = std::move(*command);
  settings->attach_pid = options.pid;
  settings->pass_output = !options.json && !options.quiet;
  if (options.repeat > 1 && options.pid != 0) {
    return Error{ErrorCode::kInvalid,
                 "--repeat needs a command to launch, not --pid"};
  }
  return settings;
}

// The summary goes to stdout if that is free, else to stderr, so that the
// program's own stdout stays clean.
int Show(const Store& store, const std::vector<Run>& runs,
         const Options& options) {
  const int fd = options.quiet ? STDOUT_FILENO : STDERR_FILENO;
  std::string text;
  if (runs.size() == 1 && options.repeat == 1) {
    const auto analysis = Analyse(store, runs.front());
    if (!analysis) {
      return FailRun(analysis.error());
    }
    text = options.json ? RunJson(runs.front(), *analysis)
                        : RunText(runs.front(), *analysis, StyleFor(fd));
  } else {
    const auto analysis = AnalyseGroup(store, runs);
    if (!analysis) {
      return FailRun(analysis.error());
    }
    text = options.json ? GroupJson(runs, *analysis)
                        : GroupText(runs, *analysis, StyleFor(fd));
  }
  if (options.json || options.quiet) {
    Print(text);
  } else {
    PrintToStderr("\n" + text);
  }
  for (const Run& run : runs) {
    if (const int code = ExitCodeOf(run); code != 0) {
      return code;
    }
  }
  return kExitDone;
}

int ExecuteAppFile(const std::string& file, const Options& options,
                   const CLI::App& verb, const Context& context) {
  if (verb.remaining().size() > 1) {
    return Fail({ErrorCode::kInvalid,
                 "what follows " + file +
                     " is not used: put options before the app file, and "
                     "arguments of the app into it"});
  }
  if (options.pid != 0) {
    return Fail({ErrorCode::kInvalid,
                 "--pid measures a running process: leave the app file out"});
  }
  auto settings = SettingsFrom(options.run);
  if (!settings) {
    return Fail(settings.error());
  }
  settings->pass_output = !options.json && !options.quiet;
  return RunAppFile(file, *settings,
                    {options.image, options.target, options.repeat,
                     options.json, options.quiet},
                    context);
}

int Execute(const Options& options, const CLI::App& verb,
            const Context& context) {
  if (const auto file = AppFileNamed(verb, context)) {
    return ExecuteAppFile(*file, options, verb, context);
  }
  if (!options.image.empty() || !options.target.empty()) {
    return Fail({ErrorCode::kInvalid,
                 "--image and --target belong to an app file: edgewise run "
                 "--target day app.yaml"});
  }
  auto settings = Settings(options, verb, context);
  if (!settings) {
    return FailRun(settings.error());
  }
  if (const Result<void> checked = CheckSettings(*settings); !checked) {
    return settings->attach_pid != 0 ? FailRun(checked.error())
                                     : FailLaunch(checked.error());
  }
  auto store = Store::Open(context.home);
  if (!store) {
    return FailRun(store.error());
  }
  // What an earlier edgewise could not clean up after.
  (void)SweepStale(context.home);
  SweepMarkedContainers(context.home);
  ProgressLine progress(!settings->pass_output || options.pid != 0);
  auto runs =
      RunRepeated(*store, *settings, options.repeat, progress.Listener());
  progress.Clear();
  if (!runs) {
    return FailLaunch(runs.error());
  }
  return Show(*store, *runs, options);
}

}  // namespace

void AddRun(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "run",
      "Measure a command, an app file or a running process, and store the Run");
  auto options = std::make_shared<Options>();
  verb->prefix_command();
  verb->add_option("--duration", options->run.duration,
                   "A planned end: SIGINT, SIGTERM, SIGKILL after this time")
      ->type_name("TIME");
  verb->add_option("--pid", options->pid, "Attach to a running process")
      ->type_name("PID");
  verb->add_option("--repeat", options->repeat, "Run it N times")
      ->type_name("N")
      ->check(CLI::Range(1, 100000).description(""));
  verb->add_option("--target", options->target,
                   "Of an app file: run this target only")
      ->type_name("NAME");
  verb->add_option("--image", options->image,
                   "Of an app file: run this image instead of its own")
      ->type_name("IMAGE");
  AddRunOptions(*verb, options->run);
  verb->add_flag("--json", options->json,
                 "Print the Run as JSON alone on stdout; the program's output "
                 "is only kept");
  verb->add_flag("--quiet,-q", options->quiet,
                 "Do not show the program's output, only keep it");
  verb->footer(
      "The command follows the options, after -- if you like.\n"
      "Examples:\n"
      "  edgewise run --duration 30s --cpus 0 -- python3 app.py\n"
      "  edgewise run --repeat 10 --quiet -- ./app --fast\n"
      "  edgewise run --pid 1234 --duration 10s\n"
      "  edgewise run --repeat 3 app.yaml\n"
      "Exit code: the program's own, 128+signal if it was killed, 0 after "
      "--duration,\n124 timed out, 125 edgewise failed, 126 not executable, "
      "127 not found.");
  verb->callback([verb, options, &context] {
    context.exit_code = Execute(*options, *verb, context);
  });
}

}  // namespace edgewise::cli
