// `edgewise train`: a latency model from tables of measurements.
#include "prediction/train.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "base/units.h"
#include "cli/output_file.h"
#include "cli/verbs.h"
#include "cli/verbs/latency_files.h"
#include "prediction/model_file.h"
#include "report/evaluation_text.h"

namespace edgewise::cli {
namespace {

struct Options {
  std::vector<std::string> tables;
  std::string output;
  std::string source;
};

int Execute(const Options& options) {
  const auto data = LoadLatencyData(options.tables);
  if (!data) {
    return Fail(data.error());
  }
  const auto model = TrainModel(*data, options.source);
  if (!model) {
    return Fail(model.error());
  }
  const std::string text = WriteModel(*model);
  if (const Result<void> written = WriteOutput(options.output, text);
      !written) {
    return Fail(written.error());
  }
  if (options.output != "-") {
    Print(TextTable(MetricsTable(model->metrics), StyleFor(1)));
    Print("\n" + options.output + ": " +
          FormatBytes(static_cast<double>(text.size())) + ", " +
          FormatCount(static_cast<int64_t>(model->runs.size()), "run") + ", " +
          FormatCount(static_cast<int64_t>(model->networks.size()), "network") +
          "\n");
  }
  return kExitDone;
}

}  // namespace

void AddTrain(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "train", "Learn from measured latencies how long networks take");
  auto options = std::make_shared<Options>();
  verb->add_option("TABLE", options->tables,
                   "CSV files with latencies, layers and, if there are any, "
                   "model characteristics; or a folder of them")
      ->required();
  verb->add_option("-o,--output", options->output,
                   "The model's file, such as model.ewm (\"-\": stdout)")
      ->type_name("FILE")
      ->required();
  verb->add_option("--source", options->source,
                   "Whose measurements these are; kept in the model")
      ->type_name("TEXT");
  verb->footer(
      "Prints how well the model predicts networks and devices that it was "
      "not\nshown (edgewise evaluate explains the columns).\n"
      "Example: edgewise train latency.csv layers.csv models.csv -o model.ewm");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options); });
}

}  // namespace edgewise::cli
