// `edgewise compare`: two stored Runs, or two groups of repeats.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/output_file.h"
#include "cli/verbs.h"
#include "report/compare_text.h"
#include "report/html.h"
#include "report/run_json.h"
#include "sessions/stack_recorder.h"
#include "store/analysis.h"

namespace edgewise::cli {
namespace {

struct Options {
  std::string a;
  std::string b;
  bool json = false;
  std::string html;
  bool fail_if_slower = false;
};

int ExitCode(const Options& options, const RunComparison& comparison) {
  return options.fail_if_slower && AnySlower(comparison) ? kExitNo : kExitDone;
}

int WritePage(const Store& store, const Run& a, const Run& b,
              const Options& options) {
  RunComparison comparison;
  const auto page = CompareHtml(store, a, b, &comparison);
  if (!page) {
    return Fail(page.error());
  }
  const Result<void> written = WriteOutput(options.html, *page);
  return written ? ExitCode(options, comparison) : Fail(written.error());
}

int Execute(const Options& options, const Context& context) {
  auto store = Store::Open(context.home);
  if (!store) {
    return Fail(store.error());
  }
  RecoverStacks(*store);
  const auto a = store->Find(options.a);
  if (!a) {
    return Fail(a.error());
  }
  const auto b = store->Find(options.b);
  if (!b) {
    return Fail(b.error());
  }
  if (!options.html.empty() && options.json) {
    return Fail({ErrorCode::kInvalid,
                 "--html and --json are two outputs: leave one of them out"});
  }
  if (!options.html.empty()) {
    return WritePage(*store, *a, *b, options);
  }
  const auto comparison = CompareRuns(*store, *a, *b);
  if (!comparison) {
    return Fail(comparison.error());
  }
  Print(options.json ? CompareJson(*comparison)
                     : CompareText(*comparison, StyleFor(STDOUT_FILENO)));
  return ExitCode(options, *comparison);
}

}  // namespace

void AddCompare(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "compare", "Compare two Runs: ratios with intervals and verdicts");
  auto options = std::make_shared<Options>();
  verb->add_option("A", options->a, "The Run to compare with (before)")
      ->required();
  verb->add_option("B", options->b, "The Run to judge (after)")->required();
  verb->add_flag("--json", options->json, "Print JSON alone on stdout");
  verb->add_option("--html", options->html,
                   "Write a report with charts to this file (-: stdout)")
      ->type_name("FILE");
  verb->add_flag("--fail-if-slower", options->fail_if_slower,
                 "Exit with 1 if anything is shown to be slower or larger");
  verb->footer(
      "A Run made with --repeat stands for its whole group.\n"
      "Example: edgewise compare last~1 last");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options, context); });
}

}  // namespace edgewise::cli
