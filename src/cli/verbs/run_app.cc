#include "cli/verbs/run_app.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/progress.h"
#include "containers/sweep_containers.h"
#include "controls/guardian.h"
#include "profiling/run_app.h"
#include "report/group_text.h"
#include "report/run_json.h"
#include "report/run_text.h"
#include "sessions/outcome.h"
#include "store/analysis.h"

namespace edgewise::cli {
namespace {

Result<std::string> Shown(const Store& store, const TargetRuns& done,
                          const AppFileOptions& options, int fd) {
  if (done.runs.size() == 1 && options.repeat == 1) {
    const Run& run = done.runs.front();
    const auto analysis = Analyse(store, run);
    if (!analysis) {
      return analysis.error();
    }
    return options.json ? RunJson(run, *analysis)
                        : RunText(run, *analysis, StyleFor(fd));
  }
  const auto analysis = AnalyseGroup(store, done.runs);
  if (!analysis) {
    return analysis.error();
  }
  return options.json ? GroupJson(done.runs, *analysis)
                      : GroupText(done.runs, *analysis, StyleFor(fd));
}

// Several targets are a list in JSON.
Result<std::string> ShownAll(const Store& store,
                             const std::vector<TargetRuns>& all,
                             const AppFileOptions& options, int fd) {
  std::string text;
  for (const TargetRuns& done : all) {
    auto shown = Shown(store, done, options, fd);
    if (!shown) {
      return shown;
    }
    while (options.json && !shown->empty() && shown->back() == '\n') {
      shown->pop_back();
    }
    if (!text.empty()) {
      text += options.json ? ",\n" : "\n";
    }
    text += *shown;
  }
  if (!options.json) {
    return text;
  }
  return all.size() > 1 ? "[" + text + "]\n" : text + "\n";
}

int Show(const Store& store, const std::vector<TargetRuns>& all,
         const AppFileOptions& options) {
  const int fd = options.quiet ? STDOUT_FILENO : STDERR_FILENO;
  const auto text = ShownAll(store, all, options, fd);
  if (!text) {
    return Fail(text.error());
  }
  if (options.json || options.quiet) {
    Print(*text);
  } else {
    PrintToStderr("\n" + *text);
  }
  for (const TargetRuns& done : all) {
    for (const Run& run : done.runs) {
      if (const int code = ExitCodeOf(run); code != 0) {
        return code;
      }
    }
  }
  return kExitDone;
}

Result<AppRequest> RequestFrom(const std::string& file,
                               const SessionSettings& settings,
                               const AppFileOptions& options) {
  AppRequest request;
  auto app = LoadAppFile(file);
  if (!app) {
    return app.error();
  }
  request.app = std::move(*app);
  if (!options.image.empty()) {
    request.app.image = options.image;
    request.app.command.clear();
  }
  if (Result<void> runnable = CheckRunnable(request.app, file); !runnable) {
    return runnable.error();
  }
  auto datasets = DefaultDatasetSettings();
  if (!datasets) {
    return datasets.error();
  }
  request.datasets = std::move(*datasets);
  request.settings = settings;
  request.target = options.target;
  request.repeat = options.repeat;
  return request;
}

}  // namespace

std::optional<std::string> AppFileNamed(const CLI::App& verb,
                                        const Context& context) {
  const std::vector<std::string> words = verb.remaining();
  if (words.empty() || !context.command.empty()) {
    return std::nullopt;
  }
  const std::string& word = words.front();
  for (const std::string_view ending : {".yaml", ".yml"}) {
    if (word.ends_with(ending) && ::access(word.c_str(), X_OK) != 0) {
      return word;
    }
  }
  return std::nullopt;
}

int RunAppFile(const std::string& file, const SessionSettings& settings,
               const AppFileOptions& options, const Context& context) {
  auto request = RequestFrom(file, settings, options);
  if (!request) {
    return Fail(request.error());
  }
  auto store = Store::Open(context.home);
  if (!store) {
    return Fail(store.error());
  }
  // What an earlier edgewise could not clean up after.
  (void)SweepStale(context.home);
  SweepMarkedContainers(context.home);
  ProgressLine progress(!settings.pass_output);
  const auto all = RunApp(*store, *request, progress.Listener());
  progress.Clear();
  if (!all) {
    return Fail(all.error());
  }
  return Show(*store, *all, options);
}

}  // namespace edgewise::cli
