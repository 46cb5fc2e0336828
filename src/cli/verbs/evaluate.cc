// `edgewise evaluate`: how well latencies, or response times beside neighbours,
// are predicted, by cross-validation.
#include "prediction/evaluate.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/output_file.h"
#include "cli/verbs.h"
#include "cli/verbs/latency_files.h"
#include "contention/evaluate.h"
#include "contention/read_campaign.h"
#include "report/contention_text.h"
#include "report/evaluation_text.h"

namespace edgewise::cli {
namespace {

struct Options {
  std::vector<std::string> tables;
  std::vector<std::string> campaigns;
  std::string svg;
  bool json = false;
};

int EvaluateCampaigns(const Options& options) {
  const auto campaign = contention::ReadCampaigns(options.campaigns);
  if (!campaign) {
    return Fail(campaign.error());
  }
  const auto evaluation = contention::EvaluateContention(*campaign, {});
  if (!evaluation) {
    return Fail(evaluation.error());
  }
  if (!options.svg.empty()) {
    const auto written =
        WriteOutput(options.svg, ContentionPicture(*evaluation));
    if (!written) {
      return Fail(written.error());
    }
  }
  if (options.svg != "-") {
    Print(options.json ? ContentionJson(*evaluation, *campaign)
                       : ContentionText(*evaluation, *campaign,
                                        StyleFor(STDOUT_FILENO)));
  }
  return kExitDone;
}

int Execute(const Options& options) {
  if (const auto problem = CheckSources(options.tables, options.campaigns)) {
    return Fail(*problem);
  }
  if (!options.campaigns.empty()) {
    return EvaluateCampaigns(options);
  }
  if (!options.svg.empty()) {
    return Fail({ErrorCode::kInvalid,
                 "--svg draws what --contention predicts: give folders of "
                 "campaigns"});
  }
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
                   "The tables that edgewise train takes");
  verb->add_option("--contention", options->campaigns,
                   "Instead: folders that edgewise contend --tenants wrote; "
                   "compares predictors of response times beside neighbours")
      ->type_name("DIR");
  verb->add_option("--svg", options->svg,
                   "Draw predicted against measured p95 of --contention "
                   "(\"-\": stdout, and nothing else there)")
      ->type_name("FILE");
  verb->add_flag("--json", options->json, "Print JSON alone on stdout");
  verb->footer(
      "Holds out whole families of networks, whole devices, and both in turn, "
      "and\npredicts them; the noise floor says how exact anybody could be.\n"
      "With --contention whole random deployments are held out.\n"
      "Examples: edgewise evaluate latency.csv layers.csv models.csv\n"
      "          edgewise evaluate --contention campaign --svg p95.svg");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options); });
}

}  // namespace edgewise::cli
