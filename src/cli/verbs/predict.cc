// `edgewise predict`: how long a network will take, and where it is fastest;
// how long requests take that share a server.
#include "prediction/predict.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "cli/verbs.h"
#include "cli/verbs/latency_files.h"
#include "cli/verbs/network_query.h"
#include "cli/verbs/onnx_options.h"
#include "cli/verbs/predict_contention.h"
#include "cli/verbs/predict_place.h"
#include "report/prediction_text.h"

namespace edgewise::cli {
namespace {

constexpr size_t kShown = 10;

struct Options {
  std::string features;
  OnnxOptions onnx;
  std::string model;
  std::string device;
  std::string spec;
  int threads = 0;
  std::optional<double> load_percent;
  PlaceOptions place;
  ContentionQuestion contention;
  bool all = false;
  bool json = false;
};

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

// The same under --load, the fastest first.
Result<void> AddLoad(const LatencyModel& model, double load_percent,
                     std::vector<Prediction>& predictions) {
  for (Prediction& prediction : predictions) {
    const auto loaded = UnderLoad(model, prediction, load_percent);
    if (!loaded) {
      return Error{ErrorCode::kInvalid,
                   "the model was not trained under load: leave out --load, or "
                   "train it with tables of edgewise measure-model too"};
    }
    prediction = *loaded;
  }
  std::stable_sort(
      predictions.begin(), predictions.end(),
      [](const Prediction& a, const Prediction& b) { return a.ms < b.ms; });
  return {};
}

Result<void> CheckOptions(const Options& options) {
  const PlaceOptions& place = options.place;
  if (!place.place &&
      (place.apply || !place.nodes.empty() || !place.image.empty() ||
       !place.output.empty() || !place.prometheus.where.empty())) {
    return Error{ErrorCode::kInvalid,
                 "--nodes, --prometheus, --image, --apply and -o are of "
                 "--place: add it"};
  }
  if (place.place && (!options.device.empty() || !options.spec.empty() ||
                      options.threads > 0 || options.load_percent)) {
    return Error{ErrorCode::kInvalid,
                 "with --place the nodes say device, spec, threads and load: "
                 "leave out these options"};
  }
  return {};
}

int Execute(const Options& options) {
  const bool about_tenants = !options.contention.campaigns.empty();
  if (about_tenants == !options.features.empty()) {
    return Fail(
        {ErrorCode::kInvalid,
         "give either a network (--model-features), or --contention and "
         "the folders of campaigns"});
  }
  const PlaceOptions& place = options.place;
  if (about_tenants &&
      (place.place || place.apply || !place.nodes.empty() ||
       !place.image.empty() || !place.output.empty() ||
       !place.prometheus.where.empty() || !options.model.empty() ||
       !options.device.empty() || !options.spec.empty() ||
       options.threads > 0 || options.load_percent || options.all)) {
    return Fail({ErrorCode::kInvalid,
                 "with --contention there are only --tenant, --server and "
                 "--json: leave out the rest"});
  }
  if (about_tenants) {
    return PredictContention(options.contention, options.json);
  }
  if (!options.contention.tenants.empty() ||
      !options.contention.server.empty()) {
    return Fail({ErrorCode::kInvalid,
                 "--tenant and --server are of --contention: add it"});
  }
  if (const Result<void> checked = CheckOptions(options); !checked) {
    return Fail(checked.error());
  }
  const auto model = LoadModel(options.model);
  if (!model) {
    return Fail(model.error());
  }
  const auto network = QueryFrom(*model, options.features, options.onnx);
  if (!network) {
    return Fail(network.error());
  }
  if (options.place.place) {
    return PlaceVerb(*model, *network, options.place, options.json);
  }
  const Query& query = network->query;
  auto predictions = Predictions(*model, query, options);
  if (!predictions) {
    return Fail(predictions.error());
  }
  if (options.load_percent) {
    if (const Result<void> loaded =
            AddLoad(*model, *options.load_percent, *predictions);
        !loaded) {
      return Fail(loaded.error());
    }
  }
  Print(options.json
            ? PredictionJson(*model, query, *predictions)
            : PredictionText(query, *predictions,
                             options.all ? predictions->size() : kShown,
                             StyleFor(STDOUT_FILENO)));
  return kExitDone;
}

}  // namespace

void AddPredict(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "predict", "Say how long a network will take, and where it is fastest");
  auto options = std::make_shared<Options>();
  verb->add_option("NETWORK,--model-features", options->features,
                   "The network: an ONNX file, a name the model knows "
                   "(mobilenet_v2), a CSV table of its layers, or the eight "
                   "fields of a SOPRANO caller as JSON or CSV")
      ->type_name("FILE|NAME");
  AddOnnxOptions(*verb, options->onnx);
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
  verb->add_option("--load", options->load_percent,
                   "Beside so much other load, in percent of all cores "
                   "(default: idle)")
      ->type_name("PERCENT")
      ->check(CLI::Range(0, 100).description(""));
  AddPlaceOptions(*verb, options->place);
  AddContentionQuestion(*verb, options->contention);
  verb->add_flag("--all", options->all, "Show all devices, not the first ten");
  verb->add_flag("--json", options->json, "Print JSON alone on stdout");
  verb->footer(
      "Times are of one inference on the CPU; nine of ten are "
      "within\nthe interval.\n"
      "Examples: edgewise predict detector.onnx --device \"Raspberry Pi 5\"\n"
      "          edgewise predict --contention campaign --tenant lstm:rate=20 "
      "--tenant\n          gcn:rate=5,quota=0.2");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options); });
}

}  // namespace edgewise::cli
