// `edgewise agent log`: what the controller of this node has decided.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/verbs/agent_verbs.h"
#include "live/decision_log.h"

namespace edgewise::cli {
namespace {

struct Options {
  size_t last = 50;
  bool json = false;
};

int Execute(const Options& options, const Context& context) {
  const auto decisions = live::ReadDecisionLog(context.home, options.last);
  if (!decisions) {
    return Fail(decisions.error());
  }
  std::string text = options.json ? "[" : "";
  for (size_t i = 0; i < decisions->size(); ++i) {
    const live::LoggedDecision& decision = (*decisions)[i];
    text += options.json ? (i == 0 ? "" : ",\n ") + decision.json
                         : decision.text + "\n";
  }
  Print(options.json ? text + "]\n" : text);
  return kExitDone;
}

}  // namespace

void AddAgentLog(CLI::App& verb, Context& context) {
  CLI::App* log = verb.add_subcommand(
      "log", "Show what the controller has decided, and why");
  auto options = std::make_shared<Options>();
  log->add_option("--last", options->last, "So many decisions (default 50)")
      ->type_name("N")
      ->check(CLI::Range(size_t{1}, size_t{1000000}).description(""));
  log->add_flag("--json", options->json,
                "Print JSON alone on stdout, with all that was decided on");
  log->footer("Example: edgewise agent log --last 20");
  log->callback(
      [options, &context] { context.exit_code = Execute(*options, context); });
}

}  // namespace edgewise::cli
