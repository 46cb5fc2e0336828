// `edgewise compare`: two stored Runs, or two groups of repeats.
#include <CLI/CLI.hpp>
#include <memory>
#include <utility>
#include <vector>

#include "cli/option_values.h"
#include "cli/output_file.h"
#include "cli/verbs.h"
#include "report/compare_text.h"
#include "report/html.h"
#include "report/run_json.h"
#include "sessions/stack_recorder.h"
#include "store/analysis.h"
#include "store/gate.h"

namespace edgewise::cli {
namespace {

struct Options {
  std::string a;
  std::string b;
  bool json = false;
  std::string html;
  bool fail_if_slower = false;
  std::vector<std::string> fail_if;
};

Result<std::vector<Gate>> GatesOf(const Options& options) {
  std::vector<Gate> gates;
  for (const std::string& text : options.fail_if) {
    auto gate = ParseGate(text);
    if (!gate) {
      return Error{gate.error().code, "--fail-if: " + gate.error().message};
    }
    gates.push_back(std::move(*gate));
  }
  return gates;
}

Result<std::vector<GateFinding>> Judge(const Store& store,
                                       const RunComparison& comparison,
                                       const std::vector<Gate>& gates) {
  std::vector<GateFinding> findings;
  for (const Gate& gate : gates) {
    auto of_gate = JudgeGate(store, comparison, gate);
    if (!of_gate) {
      return Error{of_gate.error().code,
                   "--fail-if: " + of_gate.error().message};
    }
    findings.insert(findings.end(), of_gate->begin(), of_gate->end());
  }
  return findings;
}

// A gate that cannot be judged must not look like one that was passed.
int ExitCode(const Options& options, const RunComparison& comparison,
             const std::vector<GateFinding>& findings) {
  int code =
      options.fail_if_slower && AnySlower(comparison) ? kExitNo : kExitDone;
  for (const GateFinding& finding : findings) {
    PrintError(finding.sentence);
    if (finding.outcome == GateOutcome::kHolds) {
      code = kExitNo;
    } else if (finding.outcome == GateOutcome::kInsufficient &&
               code == kExitDone) {
      code = kExitUsage;
    }
  }
  return code;
}

int WritePage(const Store& store, const Run& a, const Run& b,
              const Options& options, const std::vector<Gate>& gates) {
  RunComparison comparison;
  const auto page = CompareHtml(store, a, b, &comparison);
  if (!page) {
    return Fail(page.error());
  }
  const auto findings = Judge(store, comparison, gates);
  if (!findings) {
    return Fail(findings.error());
  }
  const Result<void> written = WriteOutput(options.html, *page);
  return written ? ExitCode(options, comparison, *findings)
                 : Fail(written.error());
}

int Execute(const Options& options, const Context& context) {
  const auto gates = GatesOf(options);
  if (!gates) {
    return Fail(gates.error());
  }
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
    return WritePage(*store, *a, *b, options, *gates);
  }
  const auto comparison = CompareRuns(*store, *a, *b);
  if (!comparison) {
    return Fail(comparison.error());
  }
  const auto findings = Judge(*store, *comparison, *gates);
  if (!findings) {
    return Fail(findings.error());
  }
  Print(options.json ? CompareJson(*comparison, *findings)
                     : CompareText(*comparison, StyleFor(STDOUT_FILENO)));
  return ExitCode(options, *comparison, *findings);
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
  AddRepeated(*verb, "--fail-if", options->fail_if, "GATE",
              "Exit with 1 if this is shown, such as 'p95 > 1.10x', 'frame p99 "
              "> 40ms' or 'memory > +10%' (repeatable)");
  verb->footer(
      "A Run made with --repeat stands for its whole group. A gate holds only "
      "beyond the\ndoubt of its 95% interval; one that cannot be judged exits "
      "with 2.\n"
      "Example: edgewise compare before last --fail-if 'p95 > 1.10x'");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options, context); });
}

}  // namespace edgewise::cli
