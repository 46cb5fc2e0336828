// `edgewise ab`: two commands in turns, compared.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "base/text.h"
#include "cli/progress.h"
#include "cli/verbs.h"
#include "cli/verbs/run_options.h"
#include "controls/guardian.h"
#include "report/compare_text.h"
#include "report/run_json.h"
#include "sessions/outcome.h"
#include "sessions/repeat.h"
#include "store/analysis.h"

namespace edgewise::cli {
namespace {

struct Options {
  RunOptions run;
  std::string a;
  std::string b;
  int repeat = 10;
  uint64_t seed = 1;
  bool json = false;
};

Result<SessionSettings> Side(const Options& options, const std::string& text) {
  auto settings = SettingsFrom(options.run);
  if (!settings) {
    return settings;
  }
  auto command = ShellSplit(text);
  if (!command) {
    return command.error();
  }
  settings->command = std::move(*command);
  settings->pass_output = false;
  if (const Result<void> checked = CheckSettings(*settings); !checked) {
    return checked.error();
  }
  return settings;
}

int Execute(const Options& options, const Context& context) {
  const auto a = Side(options, options.a);
  if (!a) {
    return Fail(a.error());
  }
  const auto b = Side(options, options.b);
  if (!b) {
    return Fail(b.error());
  }
  auto store = Store::Open(context.home);
  if (!store) {
    return Fail(store.error());
  }
  (void)SweepStale(context.home);
  ProgressLine progress(true);
  auto runs = RunInterleaved(*store, *a, *b, options.repeat, options.seed,
                             progress.Listener());
  progress.Clear();
  if (!runs) {
    return Fail(runs.error());
  }
  if (runs->cancelled) {
    PrintError("cancelled after " + std::to_string(runs->a.size()) + " of " +
               std::to_string(options.repeat) + " pairs");
    if (runs->a.empty()) {
      return kExitCancelled;
    }
  }
  const auto failed = [](const Run& run) { return ExitCodeOf(run) != 0; };
  for (const auto* side : {&runs->a, &runs->b}) {
    const auto bad = std::find_if(side->begin(), side->end(), failed);
    if (bad != side->end()) {
      PrintError("\"" + ShellQuote(bad->command) + "\" ended with code " +
                 std::to_string(ExitCodeOf(*bad)) +
                 ": its times may mean nothing (edgewise show " + bad->id +
                 " has its output)");
    }
  }
  const auto comparison = CompareInterleaved(*store, runs->a, runs->b);
  if (!comparison) {
    return Fail(comparison.error());
  }
  Print(options.json ? CompareJson(*comparison)
                     : CompareText(*comparison, StyleFor(STDOUT_FILENO)));
  return runs->cancelled ? kExitCancelled : kExitDone;
}

}  // namespace

void AddAb(CLI::App& root, Context& context) {
  CLI::App* verb =
      root.add_subcommand("ab", "Run two commands in turns and compare them");
  auto options = std::make_shared<Options>();
  verb->add_option("A", options->a, "First command, in quotes")->required();
  verb->add_option("B", options->b, "Second command, in quotes")->required();
  verb->add_option("--repeat", options->repeat,
                   "Pairs to run (default 10; an interval needs 5)")
      ->type_name("N")
      ->check(CLI::Range(1, 100000).description(""));
  verb->add_option("--seed", options->seed,
                   "Of the random order within pairs (default 1)")
      ->type_name("N");
  AddRunOptions(*verb, options->run);
  verb->add_flag("--json", options->json, "Print JSON alone on stdout");
  verb->footer(
      "Commands are split into words as a shell would, but no shell runs: "
      "write\n  edgewise ab 'sh -c \"a | b\"' './new' for pipes.\n"
      "Example: edgewise ab --repeat 10 './old --fast' './new'");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options, context); });
}

}  // namespace edgewise::cli
