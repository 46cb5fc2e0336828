#include "server/predictor.h"

#include <fmt/format.h>

#include <algorithm>

#include "placement/memory_need.h"
#include "report/json_writer.h"

namespace edgewise {
namespace {

std::string ProfilingAnswer(const std::string& echo,
                            const std::string& prediction) {
  std::string answer;
  answer.reserve(echo.size() + prediction.size() + 128);
  answer +=
      "{\"message\":\"Profiling data received\","
      "\"model_characteristics\":";
  answer += echo;
  answer += ",\"profiling_prediction\":";
  answer += prediction;
  answer += ",\"status\":\"success\"}\n";
  return answer;
}

}  // namespace

Predictor::Predictor(LatencyModel model,
                     std::unique_ptr<cluster::ClusterWatch> watch,
                     const PredictorSettings& settings)
    : model_(std::move(model)),
      hardware_(model_),
      settings_(settings),
      watch_(std::move(watch)) {}

OrProblem<std::string> Predictor::Profile(const ProfilingRequest& request) {
  if (request.device) {
    return ProfileOnDevice(request);
  }
  if (watch_ == nullptr) {
    return Problem{400, "missing_field", "device_type",
                   "\"device_type\" is missing: this server watches no "
                   "cluster, so a request says on which device, with "
                   "\"cpu_usage(percentage)\" and \"disk_usage(percentage)\""};
  }
  return ProfileOnCluster(request);
}

OrProblem<std::string> Predictor::ProfileOnDevice(
    const ProfilingRequest& request) {
  const Query query{request.model.model, request.model};
  const KnownDevice* const device = hardware_.Find(request.device->type);
  const auto idle =
      device != nullptr
          ? hardware_.Predict(query, *device)
          : hardware_.PredictUnknown(query, request.device->type,
                                     SpecFromWords(request.device->type));
  if (!idle) {
    return Problem{422, "unknown_device", "device_type",
                   "the model says nothing about \"" + request.device->type +
                       "\": GET /api/v1/devices lists what it knows"};
  }
  const LoadFactors factors =
      FactorsUnderLoad(model_, *idle, request.device->cpu_percent);
  const auto scaled = [&](std::optional<double> factor) {
    return factor ? std::optional(*factor * idle->ms) : std::nullopt;
  };
  on_devices_.fetch_add(1, std::memory_order_relaxed);
  Count(idle->out_of_distribution);
  return ProfilingAnswer(
      request.echo,
      JsonObject()
          .AddString("basis", BasisName(idle->basis))
          .Add("device_known", device != nullptr ? "true" : "false")
          .Add("interval_90",
               IntervalJson(scaled(factors.low), scaled(factors.high)))
          .Add("load_assumed",
               factors.assumed && request.device->cpu_percent > 0 ? "true"
                                                                  : "false")
          .AddString("model", request.model.model)
          .Add("out_of_distribution",
               idle->out_of_distribution ? "true" : "false")
          .Add("predicted_execution_time", SecondsJson(idle->ms * factors.ms))
          .text());
}

OrProblem<std::string> Predictor::ProfileOnCluster(
    const ProfilingRequest& request) {
  auto view = View();
  if (auto* const problem = std::get_if<Problem>(&view)) {
    return *problem;
  }
  const ClusterView& now = std::get<ClusterView>(view);
  const auto ranking = now.cluster->placement.Rank(
      {request.model.model, request.model}, MemoryNeedBytes(request.model));
  if (ranking.empty() || !ranking.front().why_not.empty()) {
    return Problem{
        422, "no_device_fits", "",
        ranking.empty()
            ? "the cluster has no node that a characterisation "
              "agent describes"
            : "no node can take the model: " + WhyNoneFits(now, ranking)};
  }
  on_clusters_.fetch_add(1, std::memory_order_relaxed);
  Count(ranking.front().out_of_distribution);
  return ProfilingAnswer(request.echo,
                         PlacementJson(now, ranking, request.model.model));
}

std::shared_ptr<const std::string> Predictor::ProfiledBefore(
    const std::string& body) {
  auto answer = watch_ != nullptr ? answers_.Find(body) : nullptr;
  if (answer != nullptr) {
    on_clusters_.fetch_add(1, std::memory_order_relaxed);
  }
  return answer;
}

void Predictor::KeepProfile(const std::string& body,
                            std::shared_ptr<const std::string> answer) {
  if (watch_ != nullptr) {
    answers_.Keep(body, std::move(answer));
  }
}

OrProblem<ClusterView> Predictor::View() {
  const cluster::ClusterNow now = watch_->Now();
  if (now.state == nullptr || now.age_s > settings_.state_limit_s) {
    return Problem{
        503, "prometheus_away", "",
        (now.problem.empty() ? std::string("the cluster's state is "
                                           "being read")
                             : now.problem) +
            (now.state == nullptr
                 ? "; nothing is known of the cluster yet"
                 : fmt::format("; what is known is {:.0f} s old", now.age_s))};
  }
  ClusterView view;
  view.age_s = now.age_s;
  if (!now.problem.empty()) {
    view.warning = fmt::format("the state of {:.0f} s ago was used: {}",
                               now.age_s, now.problem);
  }
  const std::lock_guard lock(mutex_);
  if (prepared_ == nullptr ||
      prepared_->placement.state().generation != now.state->generation) {
    prepared_ = std::make_shared<const PreparedCluster>(now.state, hardware_,
                                                        settings_.rules);
  }
  view.cluster = prepared_;
  return view;
}

std::optional<std::string> Predictor::WhyNotReady() const {
  if (watch_ == nullptr) {
    return std::nullopt;
  }
  const cluster::ClusterNow now = watch_->Now();
  if (now.state != nullptr && now.age_s <= settings_.state_limit_s) {
    return std::nullopt;
  }
  return now.problem.empty() ? "the cluster's state is not known" : now.problem;
}

void Predictor::Count(bool out_of_distribution) {
  if (out_of_distribution) {
    far_off_.fetch_add(1, std::memory_order_relaxed);
  }
}

void Predictor::AddMetrics(http::Exposition& exposition) const {
  exposition.Family("edgewise_predictions", http::FamilyType::kCounter,
                    "Predictions made, by what was asked.");
  exposition.Sample(http::LabelText().Add("mode", "device"),
                    static_cast<double>(on_devices_));
  exposition.Sample(http::LabelText().Add("mode", "cluster"),
                    static_cast<double>(on_clusters_));
  exposition.Sample(http::LabelText().Add("mode", "batch"),
                    static_cast<double>(in_batches_));
  exposition.One("edgewise_predictions_out_of_distribution",
                 http::FamilyType::kCounter,
                 "Predictions for models unlike all that was learnt from.",
                 static_cast<double>(far_off_));
  if (watch_ == nullptr) {
    return;
  }
  const cluster::ClusterNow now = watch_->Now();
  exposition.One("edgewise_cluster_readings", http::FamilyType::kCounter,
                 "Attempts to read the cluster's state.",
                 static_cast<double>(watch_->readings()));
  exposition.One("edgewise_cluster_reading_failures",
                 http::FamilyType::kCounter, "Attempts that failed.",
                 static_cast<double>(watch_->failures()));
  if (now.state != nullptr) {
    exposition.One("edgewise_cluster_nodes", http::FamilyType::kGauge,
                   "Nodes in the latest state.",
                   static_cast<double>(now.state->nodes.size()));
    exposition.One("edgewise_cluster_state_age_seconds",
                   http::FamilyType::kGauge, "Age of the latest state.",
                   now.age_s);
  }
}

}  // namespace edgewise
