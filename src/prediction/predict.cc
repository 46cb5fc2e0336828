#include "prediction/predict.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/nearest.h"
#include "base/text.h"
#include "prediction/device_names.h"

namespace edgewise {
namespace {

// Ten times more or less than any known network's time is another world.
const double kFarBeyond = std::log(10.0);
// A year, as logarithm of milliseconds; keeps answers finite.
const double kLongestLogMs = std::log(3.15e10);

// Whether the network takes far more or less time than all known ones, or
// spends it on what they hardly do.
bool IsFarOff(const LatencyModel& model, const CostVector& costs) {
  const double time = LogTime(costs, model.mean);
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  CostVector known{};
  for (const KnownNetwork& network : model.networks) {
    least = std::min(least, LogTime(network.costs, model.mean));
    most = std::max(most, LogTime(network.costs, model.mean));
    for (size_t k = 0; k < kCostTerms; ++k) {
      known[k] += network.costs[k];
    }
  }
  double unseen_ms = 0;
  for (size_t k = 0; k < kCostTerms; ++k) {
    if (known[k] <= 0) {
      unseen_ms +=
          costs[k] * std::exp(model.mean[static_cast<Eigen::Index>(k)]);
    }
  }
  return time < least - kFarBeyond || time > most + kFarBeyond ||
         unseen_ms > std::exp(time) / 4;
}

// Whether these are the costs of the same layers; files keep six digits.
bool SameCosts(const CostVector& a, const CostVector& b) {
  for (size_t k = 0; k < kCostTerms; ++k) {
    if (std::abs(a[k] - b[k]) > 1e-4 * (std::abs(a[k]) + std::abs(b[k]))) {
      return false;
    }
  }
  return true;
}

// `least_width`: the interval reaches at least so far either way.
void SetTime(const LatencyModel& model, double log_ms, Basis basis,
             Prediction& prediction, double least_width = 0) {
  log_ms = std::clamp(log_ms, -kLongestLogMs, kLongestLogMs);
  prediction.basis = basis;
  prediction.ms = std::exp(log_ms);
  if (const auto& width = model.widths[static_cast<size_t>(basis)]) {
    prediction.low_ms = std::exp(log_ms - std::max(width->below, least_width));
    prediction.high_ms = std::exp(log_ms + std::max(width->above, least_width));
  }
}

void SortByTime(std::vector<Prediction>& predictions) {
  std::stable_sort(
      predictions.begin(), predictions.end(),
      [](const Prediction& a, const Prediction& b) { return a.ms < b.ms; });
}

}  // namespace

Result<Query> QueryKnownNetwork(const LatencyModel& model,
                                const std::string& name) {
  if (const auto n = model.FindNetwork(name)) {
    return Query{name, model.networks[*n].costs};
  }
  std::vector<std::string> names;
  for (const KnownNetwork& network : model.networks) {
    names.push_back(network.name);
  }
  const auto near = Nearest(name, names);
  return Error{ErrorCode::kNotFound,
               "there is no file " + name + ", and the model knows no such " +
                   "network" +
                   (near ? ": did you mean " + *near + "?"
                         : "; it knows " + Join(names, ", "))};
}

std::optional<Prediction> PredictOnRun(const LatencyModel& model,
                                       const Query& query,
                                       const KnownRun& run) {
  Prediction prediction;
  prediction.device = run.device;
  prediction.run = run.id;
  prediction.note = run.note;
  prediction.threads = run.spec.threads;
  if (const auto* fields = std::get_if<Characteristics>(&query.features)) {
    if (!run.coarse_level) {
      return std::nullopt;
    }
    const CoarseVector terms = CoarseTermsOf(*fields);
    SetTime(model, model.coarse.LogTime(terms, *run.coarse_level),
            Basis::kCoarse, prediction);
    prediction.out_of_distribution = model.coarse.OutOfDistribution(terms);
    return prediction;
  }
  const auto& costs = std::get<CostVector>(query.features);
  double log_ms = LogTime(costs, run.log_rates);
  const bool calibrated = run.corrections.size() > 0;
  Basis basis = calibrated ? Basis::kCalibratedNewNetwork : Basis::kKnownDevice;
  // What is known of a known network beyond its costs counts too.
  const auto known = model.FindNetwork(query.name);
  if (known && SameCosts(model.networks[*known].costs, costs)) {
    log_ms += model.networks[*known].offset;
    if (calibrated) {
      log_ms += run.corrections[static_cast<Eigen::Index>(*known)];
      basis = Basis::kCalibrated;
    }
  }
  SetTime(model, log_ms, basis, prediction, run.largest_miss);
  prediction.out_of_distribution = IsFarOff(model, costs);
  return prediction;
}

std::optional<Prediction> PredictBySpec(const LatencyModel& model,
                                        const Query& query,
                                        const std::string& device,
                                        const DeviceSpec& spec) {
  const auto* costs = std::get_if<CostVector>(&query.features);
  if (costs == nullptr) {
    return std::nullopt;
  }
  Prediction prediction;
  prediction.device = device;
  prediction.threads = spec.threads;
  SetTime(model, LogTime(*costs, SpecRates(model, spec)), Basis::kSpecOnly,
          prediction);
  prediction.out_of_distribution = IsFarOff(model, *costs);
  return prediction;
}

std::optional<Prediction> UnderLoad(const LatencyModel& model, Prediction idle,
                                    double load_percent) {
  if (!model.load) {
    return std::nullopt;
  }
  const double slowdown =
      std::exp(model.load->LogSlowdown(load_percent, idle.threads));
  Prediction loaded = std::move(idle);
  loaded.load_percent = load_percent;
  const auto error = model.load->LogError(load_percent);
  // Independent errors: the squares of their logarithms add up.
  const auto widened = [&](std::optional<double> end,
                           double sign) -> std::optional<double> {
    if (!end || !error) {
      return std::nullopt;
    }
    const double log_width =
        std::hypot(std::log(*end / loaded.ms), *error) * sign;
    return loaded.ms * slowdown * std::exp(log_width);
  };
  const auto low = widened(loaded.low_ms, -1);
  const auto high = widened(loaded.high_ms, 1);
  loaded.low_ms = low;
  loaded.high_ms = high;
  loaded.ms *= slowdown;
  return loaded;
}

std::vector<std::string> KnownDevices(const LatencyModel& model) {
  std::set<std::string> names;
  for (const KnownRun& run : model.runs) {
    names.insert(run.device);
  }
  return {names.begin(), names.end()};
}

Result<std::vector<Prediction>> PredictOnDevice(const LatencyModel& model,
                                                const Query& query,
                                                const std::string& device,
                                                std::optional<int> threads) {
  const std::vector<std::string> known = KnownDevices(model);
  const auto match = MatchDevice(device, known);
  if (!match) {
    const auto similar = SimilarDevices(device, known);
    return Error{
        ErrorCode::kNotFound,
        "the model knows no device \"" + device + "\"" +
            (similar.empty() ? "" : " (similar: " + Join(similar, "; ") + ")") +
            ": describe it with --spec, or add it with edgewise calibrate "
            "--device"};
  }
  std::vector<Prediction> predictions;
  for (const KnownRun& run : model.runs) {
    if (run.device != *match || (threads && run.spec.threads != *threads)) {
      continue;
    }
    if (auto prediction = PredictOnRun(model, query, run)) {
      predictions.push_back(std::move(*prediction));
    }
  }
  if (predictions.empty()) {
    return Error{ErrorCode::kNotFound,
                 "the model has no run of " + *match +
                     (threads ? " with " + std::to_string(*threads) +
                                    " threads: leave out --threads"
                              : " that tells about such a query")};
  }
  SortByTime(predictions);
  return predictions;
}

std::vector<Prediction> RankDevices(const LatencyModel& model,
                                    const Query& query,
                                    std::optional<int> threads) {
  std::vector<Prediction> all;
  for (const KnownRun& run : model.runs) {
    if (threads && run.spec.threads != *threads) {
      continue;
    }
    if (auto prediction = PredictOnRun(model, query, run)) {
      all.push_back(std::move(*prediction));
    }
  }
  SortByTime(all);
  std::vector<Prediction> ranking;
  std::set<std::string> seen;
  for (Prediction& prediction : all) {
    if (seen.insert(prediction.device).second) {
      ranking.push_back(std::move(prediction));
    }
  }
  return ranking;
}

}  // namespace edgewise
