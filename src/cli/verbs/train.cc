// `edgewise train`: a latency model from tables of measurements, or pressures
// from campaigns.
#include "prediction/train.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "base/clock.h"
#include "base/units.h"
#include "cli/output_file.h"
#include "cli/verbs.h"
#include "cli/verbs/latency_files.h"
#include "contention/read_campaign.h"
#include "contention/train.h"
#include "prediction/model_file.h"
#include "report/contention_text.h"
#include "report/evaluation_text.h"

namespace edgewise::cli {
namespace {

struct Options {
  std::vector<std::string> tables;
  std::vector<std::string> campaigns;
  std::string output;
  std::string source;
};

constexpr size_t kDateLength = 10;  // of "2026-11-15T08:29:38Z"

int TrainContention(const Options& options) {
  const auto campaign = contention::ReadCampaigns(options.campaigns);
  if (!campaign) {
    return Fail(campaign.error());
  }
  const auto trained = contention::TrainPressures(
      *campaign, FormatUtc(UtcNs()).substr(0, kDateLength));
  if (!trained) {
    return Fail(trained.error());
  }
  if (const Result<void> written = WriteOutput(
          options.output, orchestration::WritePressures(trained->figures));
      !written) {
    return Fail(written.error());
  }
  if (options.output != "-") {
    Print(TextTable(ContentionErrorTable({trained->errors}), StyleFor(1)));
    Print("\n" + options.output + ": " +
          FormatCount(static_cast<int64_t>(campaign->apps.size()), "app") +
          ", " + trained->figures.basis + "\n");
  }
  return kExitDone;
}

int Execute(const Options& options) {
  if (const auto problem = CheckSources(options.tables, options.campaigns)) {
    return Fail(*problem);
  }
  if (!options.campaigns.empty()) {
    return TrainContention(options);
  }
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
      "train", "Learn from measurements how long networks and tenants take");
  auto options = std::make_shared<Options>();
  verb->add_option("TABLE", options->tables,
                   "CSV files with latencies, layers and, if there are any, "
                   "model characteristics; or a folder of them");
  verb->add_option("--contention", options->campaigns,
                   "Instead: folders that edgewise contend --tenants wrote; "
                   "learns what tenants of a server do to each other")
      ->type_name("DIR");
  verb->add_option("-o,--output", options->output,
                   "The model's file, such as model.ewm or pressures.yaml "
                   "(\"-\": stdout)")
      ->type_name("FILE")
      ->required();
  verb->add_option("--source", options->source,
                   "Whose measurements these are; kept in the model")
      ->type_name("TEXT");
  verb->footer(
      "Prints how well the model predicts networks and devices that it was "
      "not\nshown (edgewise evaluate explains the columns). With --contention "
      "the file is\nfor edgewise place --pressures.\n"
      "Examples: edgewise train latency.csv layers.csv models.csv -o "
      "model.ewm\n"
      "          edgewise train --contention campaign -o pressures.yaml");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options); });
}

}  // namespace edgewise::cli
