// `edgewise evaluate`: how well latencies are predicted, by cross-validation.
#include "prediction/evaluate.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/verbs.h"
#include "cli/verbs/latency_files.h"
#include "report/evaluation_text.h"

namespace edgewise::cli {
namespace {

struct Options {
  std::vector<std::string> tables;
  bool json = false;
};

int Execute(const Options& options) {
  const auto data = LoadLatencyData(options.tables);
  if (!data) {
    return Fail(data.error());
  }
  const auto held_out = CrossValidate(*data);
  if (!held_out) {
    return Fail(held_out.error());
  }
  const Evaluation evaluation = Evaluate(*data, *held_out);
  Print(options.json
            ? EvaluationJson(evaluation, *data)
            : EvaluationText(evaluation, *data, StyleFor(STDOUT_FILENO)));
  return kExitDone;
}

}  // namespace

void AddEvaluate(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "evaluate", "Show how well latencies of the unseen are predicted");
  auto options = std::make_shared<Options>();
  verb->add_option("TABLE", options->tables,
                   "The tables that edgewise train takes")
      ->required();
  verb->add_flag("--json", options->json, "Print JSON alone on stdout");
  verb->footer(
      "Holds out whole families of networks, whole devices, and both in turn, "
      "and\npredicts them; the noise floor says how exact anybody could be.\n"
      "Example: edgewise evaluate latency.csv layers.csv models.csv");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options); });
}

}  // namespace edgewise::cli
