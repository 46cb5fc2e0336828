#include "placement/forecast_nodes.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "prediction/device_names.h"

namespace edgewise {
namespace {

std::optional<Prediction> Idle(const LatencyModel& model, const Query& query,
                               const ListedNode& node, std::string& why_not) {
  if (MatchDevice(node.device, KnownDevices(model))) {
    auto settings = PredictOnDevice(model, query, node.device, node.threads);
    if (settings) {
      return settings->front();
    }
    why_not = settings.error().message;
    return std::nullopt;
  }
  DeviceSpec spec = SpecFromWords(node.spec + " " + node.device);
  spec.threads = node.threads.value_or(1);
  if (spec.core == CoreKind::kUnknown) {
    why_not =
        "its hardware is unknown: give a device that edgewise knows, or "
        "a spec such as \"Cortex-A72 1.8GHz\"";
    return std::nullopt;
  }
  auto prediction = PredictBySpec(
      model, query, node.device.empty() ? node.spec : node.device, spec);
  if (!prediction) {
    why_not = "a device that was never measured needs the network's layers";
  }
  return prediction;
}

}  // namespace

std::vector<NodeForecast> ForecastNodes(const LatencyModel& model,
                                        const Query& query,
                                        const std::vector<ListedNode>& nodes) {
  std::vector<NodeForecast> ranking;
  for (const ListedNode& node : nodes) {
    NodeForecast forecast{node.name, std::nullopt, ""};
    forecast.prediction = Idle(model, query, node, forecast.why_not);
    if (forecast.prediction && node.load_percent.value_or(0) > 0) {
      forecast.prediction =
          UnderLoad(model, *forecast.prediction, *node.load_percent);
      if (!forecast.prediction) {
        forecast.why_not =
            "it is loaded, and the model was not trained under load: train it "
            "with tables of edgewise measure-model";
      }
    }
    ranking.push_back(std::move(forecast));
  }
  const auto time = [](const NodeForecast& forecast) {
    return forecast.prediction ? forecast.prediction->ms
                               : std::numeric_limits<double>::infinity();
  };
  std::stable_sort(ranking.begin(), ranking.end(),
                   [&](const NodeForecast& a, const NodeForecast& b) {
                     return time(a) < time(b);
                   });
  return ranking;
}

std::vector<NodeForecast> ForecastNodes(const PlacementCluster& watched,
                                        const Query& query,
                                        std::optional<double> memory_bytes) {
  std::vector<NodeForecast> forecasts;
  for (const RankedNode& ranked : watched.Rank(query, memory_bytes)) {
    const cluster::NodeState& node = watched.state().nodes[ranked.node];
    NodeForecast forecast{node.name, std::nullopt, ranked.why_not};
    if (ranked.ms && ranked.why_not.empty()) {
      Prediction& prediction = forecast.prediction.emplace();
      prediction.device = node.device_model;
      prediction.threads = ranked.threads;
      prediction.ms = *ranked.ms;
      prediction.low_ms = ranked.low_ms;
      prediction.high_ms = ranked.high_ms;
      prediction.basis = ranked.basis;
      prediction.load_percent = node.cpu_busy_percent;
      prediction.out_of_distribution = ranked.out_of_distribution;
    }
    forecasts.push_back(std::move(forecast));
  }
  return forecasts;
}

}  // namespace edgewise
