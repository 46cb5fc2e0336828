// `edgewise predict`: how long a network will take, and where it is fastest.
#include "prediction/predict.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "base/text.h"
#include "cli/verbs.h"
#include "cli/verbs/latency_files.h"
#include "prediction/model_file.h"
#include "report/prediction_text.h"

namespace edgewise::cli {
namespace {

constexpr size_t kShown = 10;

struct Options {
  std::string features;
  std::string model;
  std::string device;
  std::string spec;
  int threads = 0;
  bool all = false;
  bool json = false;
};

// The one network of a table of layers or of characteristics.
Result<Query> QueryFromTable(const std::string& text, const std::string& file) {
  const auto table = ParseCsv(text, file);
  if (!table) {
    return table.error();
  }
  const auto one = [&](size_t count) {
    return count == 1 ? Result<void>()
                      : Error{ErrorCode::kInvalid,
                              file + " describes " + std::to_string(count) +
                                  " models: keep the rows of one"};
  };
  if (table->Find("conv_layers")) {
    auto models = ReadCharacteristicsTable(*table, file);
    if (!models) {
      return models.error();
    }
    if (auto checked = one(models->size()); !checked) {
      return checked.error();
    }
    const std::string name = models->front().model;
    return Query{name.empty() ? file : name, std::move(models->front())};
  }
  const auto networks = ReadLayersTable(*table, file);
  if (!networks) {
    return networks.error();
  }
  if (auto checked = one(networks->size()); !checked) {
    return checked.error();
  }
  const CostVector costs = CostsOf(networks->front());
  if (costs == CostVector{}) {
    return Error{ErrorCode::kInvalid,
                 file + " has no layer that does anything"};
  }
  return Query{networks->front().name, costs};
}

Result<Query> QueryFrom(const LatencyModel& model, const std::string& words) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(words, error)) {
    return QueryKnownNetwork(model, words);
  }
  const auto text = ReadFile(words);
  if (!text) {
    return text.error();
  }
  if (Trim(*text).starts_with("{")) {
    auto fields = ReadCharacteristicsJson(*text, words);
    if (!fields) {
      return fields.error();
    }
    const std::string name = fields->model;
    return Query{name, std::move(*fields)};
  }
  return QueryFromTable(*text, words);
}

Result<std::vector<Prediction>> Predictions(const LatencyModel& model,
                                            const Query& query,
                                            const Options& options) {
  const std::optional<int> threads =
      options.threads > 0 ? std::optional(options.threads) : std::nullopt;
  if (!options.spec.empty()) {
    DeviceSpec spec = SpecFromWords(options.spec);
    spec.threads = threads.value_or(1);
    const auto prediction = PredictBySpec(
        model, query, options.device.empty() ? options.spec : options.device,
        spec);
    if (!prediction) {
      return Error{ErrorCode::kInvalid,
                   "--spec needs the layers of the network: the eight fields "
                   "alone say too little about a device never measured"};
    }
    return std::vector<Prediction>{*prediction};
  }
  if (!options.device.empty()) {
    return PredictOnDevice(model, query, options.device, threads);
  }
  auto ranking = RankDevices(model, query, threads);
  if (ranking.empty()) {
    return Error{ErrorCode::kNotFound,
                 "no device of the model fits: leave out --threads"};
  }
  return ranking;
}

int Execute(const Options& options) {
  const auto model = LoadModel(options.model);
  if (!model) {
    return Fail(model.error());
  }
  const auto query = QueryFrom(*model, options.features);
  if (!query) {
    return Fail(query.error());
  }
  const auto predictions = Predictions(*model, *query, options);
  if (!predictions) {
    return Fail(predictions.error());
  }
  Print(options.json
            ? PredictionJson(*model, *query, *predictions)
            : PredictionText(*query, *predictions,
                             options.all ? predictions->size() : kShown,
                             StyleFor(STDOUT_FILENO)));
  return kExitDone;
}

}  // namespace

void AddPredict(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "predict", "Say how long a network will take, and where it is fastest");
  auto options = std::make_shared<Options>();
  verb->add_option("--model-features", options->features,
                   "The network: a name the model knows (mobilenet_v2), a CSV "
                   "table of its layers, or the eight fields of a SOPRANO "
                   "caller as JSON or CSV")
      ->type_name("FILE|NETWORK")
      ->required();
  verb->add_option("--model", options->model,
                   "A model of edgewise train (default: the one that comes "
                   "with edgewise)")
      ->type_name("FILE");
  verb->add_option("--device", options->device,
                   "Only this device, in all its settings (default: all "
                   "devices, each in its fastest)")
      ->type_name("NAME");
  verb->add_option("--spec", options->spec,
                   "A device never measured, described: \"Cortex-A76 2.4GHz\"")
      ->type_name("TEXT");
  verb->add_option("--threads", options->threads,
                   "Only runs with so many threads")
      ->type_name("N")
      ->check(CLI::Range(1, 100000).description(""));
  verb->add_flag("--all", options->all, "Show all devices, not the first ten");
  verb->add_flag("--json", options->json, "Print JSON alone on stdout");
  verb->footer(
      "Times are of one inference, undisturbed, on the CPU; nine of ten are "
      "within\nthe interval.\n"
      "Example: edgewise predict --model-features mobilenet_v2 --device "
      "\"Raspberry Pi 5\"");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options); });
}

}  // namespace edgewise::cli
