#include "prediction/place.h"

#include <algorithm>
#include <limits>

#include "prediction/device_names.h"

namespace edgewise {
namespace {

std::optional<Prediction> Idle(const LatencyModel& model, const Query& query,
                               const ClusterNode& node, std::string& why_not) {
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

std::vector<NodeForecast> RankNodes(const LatencyModel& model,
                                    const Query& query,
                                    const std::vector<ClusterNode>& nodes) {
  std::vector<NodeForecast> ranking;
  for (const ClusterNode& node : nodes) {
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

}  // namespace edgewise
