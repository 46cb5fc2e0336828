// Several models at once, and lists of devices.
#include <algorithm>

#include "base/text.h"
#include "placement/memory_need.h"
#include "report/json_text.h"
#include "report/json_writer.h"
#include "server/predictor.h"

namespace edgewise {
namespace {

constexpr size_t kDevicesShown = 10;

std::string PredictionJson(const Prediction& prediction,
                           const LoadFactors& factors) {
  const auto scaled = [&](std::optional<double> factor) {
    return factor ? std::optional(*factor * prediction.ms) : std::nullopt;
  };
  return JsonObject()
      .AddString("device", prediction.device)
      .AddInt("threads", prediction.threads)
      .Add("predicted_execution_time", SecondsJson(prediction.ms * factors.ms))
      .Add("interval_90",
           IntervalJson(scaled(factors.low), scaled(factors.high)))
      .AddString("basis", BasisName(prediction.basis))
      .Add("out_of_distribution",
           prediction.out_of_distribution ? "true" : "false")
      .text();
}

struct Timed {
  Prediction idle;
  LoadFactors factors;
  double ms() const { return idle.ms * factors.ms; }
};

std::string TimesJson(std::vector<Timed> times, size_t most) {
  std::stable_sort(
      times.begin(), times.end(),
      [](const Timed& a, const Timed& b) { return a.ms() < b.ms(); });
  JsonArray list;
  for (size_t i = 0; i < std::min(most, times.size()); ++i) {
    list.Add(PredictionJson(times[i].idle, times[i].factors));
  }
  return list.text();
}

// One model of a batch: a network the model knows, or the eight fields.
OrProblem<Query> QueryOf(const LatencyModel& model, const FlatObject& object) {
  if (const FlatMember* const network = object.Find("network")) {
    const std::string name = network->text.value_or("");
    const auto found = model.FindNetwork(name);
    if (!found) {
      return Problem{400, "unknown_network", "network",
                     "the model was not trained on a network \"" + name +
                         "\": send the eight fields instead"};
    }
    return Query{name, model.networks[*found].costs};
  }
  auto fields = ReadModelFields(object);
  if (auto* const problem = std::get_if<Problem>(&fields)) {
    return *problem;
  }
  auto& characteristics = std::get<Characteristics>(fields);
  std::string name = characteristics.model;
  return Query{std::move(name), std::move(characteristics)};
}

double LoadOf(const FlatBatch& batch) {
  const FlatMember* const load = batch.rest.Find("cpu_usage(percentage)");
  return load != nullptr && load->number ? *load->number : 0;
}

}  // namespace

OrProblem<std::string> Predictor::RankingFor(const Query& query,
                                             const FlatBatch& batch,
                                             size_t most) {
  if (batch.devices.empty() && watch_ != nullptr) {
    auto view = View();
    if (auto* const problem = std::get_if<Problem>(&view)) {
      return *problem;
    }
    const ClusterView& now = std::get<ClusterView>(view);
    const auto* const fields = std::get_if<Characteristics>(&query.features);
    auto ranking = now.cluster->placement.Rank(
        query, fields != nullptr ? MemoryNeedBytes(*fields) : std::nullopt);
    ranking.resize(std::min(most, ranking.size()));
    return RankingJson(now, ranking);
  }
  std::vector<Timed> times;
  const auto add = [&](const std::optional<Prediction>& idle) {
    if (idle) {
      times.push_back({*idle, FactorsUnderLoad(model_, *idle, LoadOf(batch))});
    }
  };
  for (const std::string& name : batch.devices) {
    const KnownDevice* const device = hardware_.Find(name);
    add(device != nullptr
            ? hardware_.Predict(query, *device)
            : hardware_.PredictUnknown(query, name, SpecFromWords(name)));
  }
  if (batch.devices.empty()) {
    for (const KnownDevice& device : hardware_.devices()) {
      add(hardware_.Predict(query, device));
    }
  }
  return TimesJson(std::move(times), most);
}

OrProblem<std::string> Predictor::PredictBatch(const FlatBatch& batch) {
  if (batch.rest.Find("cpu_usage(percentage)") != nullptr) {
    const auto load = ReadNumber(batch.rest, "cpu_usage(percentage)", 0, 100);
    if (const auto* const problem = std::get_if<Problem>(&load)) {
      return *problem;
    }
  }
  size_t most = kDevicesShown;
  if (batch.rest.Find("top") != nullptr) {
    const auto top = ReadNumber(batch.rest, "top", 1, 10000);
    if (const auto* const problem = std::get_if<Problem>(&top)) {
      return *problem;
    }
    most = static_cast<size_t>(std::get<double>(top));
  }
  JsonArray results;
  for (const FlatObject& object : batch.models) {
    const auto query = QueryOf(model_, object);
    if (const auto* const problem = std::get_if<Problem>(&query)) {
      results.Add(JsonObject().Add("error", ProblemJson(*problem)).text());
      continue;
    }
    const Query& asked = std::get<Query>(query);
    auto ranking = RankingFor(asked, batch, most);
    if (auto* const problem = std::get_if<Problem>(&ranking)) {
      return *problem;
    }
    in_batches_.fetch_add(1, std::memory_order_relaxed);
    results.Add(JsonObject()
                    .AddString("model", asked.name)
                    .Add("ranking", std::get<std::string>(ranking))
                    .text());
  }
  return JsonObject().Add("results", results.text()).text() + "\n";
}

OrProblem<std::string> Predictor::PredictLayers(const Query& query,
                                                double memory_bytes) {
  in_batches_.fetch_add(1, std::memory_order_relaxed);
  if (watch_ == nullptr) {
    return RankingFor(query, {}, hardware_.devices().size());
  }
  auto view = View();
  if (auto* const problem = std::get_if<Problem>(&view)) {
    return *problem;
  }
  const ClusterView& now = std::get<ClusterView>(view);
  return RankingJson(now, now.cluster->placement.Rank(query, memory_bytes));
}

std::string Predictor::Devices() const {
  JsonArray devices;
  for (const KnownDevice& device : hardware_.devices()) {
    JsonArray settings;
    for (const KnownRun* const run : device.runs) {
      settings.Add(JsonObject()
                       .AddInt("threads", run->spec.threads)
                       .AddString("note", run->note)
                       .text());
    }
    devices.Add(JsonObject()
                    .AddString("name", device.name)
                    .Add("settings", settings.text())
                    .text());
  }
  JsonObject answer;
  answer.Add("devices", devices.text());
  if (watch_ != nullptr) {
    JsonArray nodes;
    if (const auto now = watch_->Now(); now.state != nullptr) {
      for (const cluster::NodeState& node : now.state->nodes) {
        const KnownDevice* const device = hardware_.Find(node.device_model);
        nodes.Add(
            JsonObject()
                .AddString("node", node.name)
                .AddString("device_model", Trim(node.device_model))
                .Add("known_as",
                     device != nullptr ? JsonString(device->name) : "null")
                .AddNumber("cpu_busy_percent", node.cpu_busy_percent)
                .AddNumber("memory_available_bytes",
                           node.memory_available_bytes)
                .AddNumber("metrics_age_s",
                           node.age_s ? std::optional(*node.age_s + now.age_s)
                                      : std::nullopt)
                .text());
      }
    }
    answer.Add("nodes", nodes.text());
  }
  return answer.text() + "\n";
}

}  // namespace edgewise
