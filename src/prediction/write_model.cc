#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "prediction/model_file.h"

namespace edgewise {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Json = nlohmann::ordered_json;

// Six significant digits are more than measurements have.
double Rounded(double value) {
  char text[32];
  (void)std::snprintf(text, sizeof text, "%.6g", value);
  return std::strtod(text, nullptr);
}

template <typename Numbers>
Json ArrayOf(const Numbers& numbers) {
  Json array = Json::array();
  for (const double value : numbers) {
    array.push_back(Rounded(value));
  }
  return array;
}

Json MatrixOf(const MatrixXd& matrix) {
  Json rows = Json::array();
  for (Index r = 0; r < matrix.rows(); ++r) {
    rows.push_back(ArrayOf(VectorXd(matrix.row(r).transpose())));
  }
  return rows;
}

Json OrNull(const std::optional<double>& value) {
  return value ? Json(Rounded(*value)) : Json();
}

Json WidthOf(const std::optional<IntervalWidth>& width) {
  if (!width) {
    return {};
  }
  return Json{{"below", Rounded(width->below)},
              {"above", Rounded(width->above)}};
}

Json MetricsOf(const NamedMetrics& row) {
  const Metrics& m = row.metrics;
  return Json{{"name", row.name},
              {"forecasts", m.forecasts},
              {"mape", OrNull(m.mape)},
              {"median_ape", OrNull(m.median_ape)},
              {"within_10", OrNull(m.within_10)},
              {"within_20", OrNull(m.within_20)},
              {"rank_correlation", OrNull(m.rank_correlation)},
              {"fastest_of_3", OrNull(m.fastest_of_3)},
              {"regret", OrNull(m.regret)},
              {"coverage", OrNull(m.coverage)},
              {"width", WidthOf(m.width)}};
}

Json SpecOf(const DeviceSpec& spec) {
  return Json{{"threads", spec.threads},
              {"clock_ghz", OrNull(spec.clock_ghz)},
              {"core", CoreKindName(spec.core)},
              {"little_cores", spec.little_cores}};
}

Json NetworkOf(const KnownNetwork& network) {
  return Json{{"name", network.name},
              {"costs", ArrayOf(network.costs)},
              {"offset", Rounded(network.offset)},
              {"noise", Rounded(network.noise)},
              {"coarse", network.coarse ? ArrayOf(*network.coarse) : Json()}};
}

Json RunOf(const KnownRun& run) {
  return Json{{"id", run.id},
              {"device", run.device},
              {"note", run.note},
              {"spec", SpecOf(run.spec)},
              {"log_rates", ArrayOf(run.log_rates)},
              {"coarse_level", OrNull(run.coarse_level)},
              {"corrections",
               run.corrections.size() > 0 ? ArrayOf(run.corrections) : Json()}};
}

Json LoadOf(const LoadResponse& load) {
  const auto curve = [](const LoadCurve& one) {
    return Json{{"percent", ArrayOf(one.load_percent)},
                {"log_slowdown", ArrayOf(one.log_slowdown)}};
  };
  return Json{{"one_thread", curve(load.one_thread)},
              {"more_threads", curve(load.more_threads)},
              {"log_error_90", OrNull(load.log_error_90)},
              {"rows", load.rows},
              {"most_percent", load.most_load_percent}};
}

// A member a line, and an element a line of lists of networks and runs: small
// enough to look at, and to compare.
std::string Lines(const Json& json) {
  std::string text = "{\n";
  for (auto member = json.begin(); member != json.end(); ++member) {
    text += Json(member.key()).dump() + ": ";
    if (member->is_array() && !member->empty() && member->front().is_object()) {
      text += "[\n";
      for (size_t i = 0; i < member->size(); ++i) {
        text +=
            (*member)[i].dump(-1, ' ', false, Json::error_handler_t::replace) +
            (i + 1 < member->size() ? ",\n" : "\n");
      }
      text += "]";
    } else {
      text += member->dump(-1, ' ', false, Json::error_handler_t::replace);
    }
    text += std::next(member) == json.end() ? "\n" : ",\n";
  }
  return text + "}\n";
}

}  // namespace

std::string WriteModel(const LatencyModel& model) {
  Json json{{"format", kModelFormat},
            {"version", kModelFileVersion},
            {"source", model.source},
            {"data_digest", model.data_digest},
            {"measurements", model.measurements}};
  json["terms"] = Json::array();
  for (size_t k = 0; k < kCostTerms; ++k) {
    json["terms"].push_back(CostTermName(static_cast<CostTerm>(k)));
  }
  json["metrics"] = Json::array();
  for (const NamedMetrics& row : model.metrics) {
    json["metrics"].push_back(MetricsOf(row));
  }
  json["interval_90"] = Json::object();
  for (size_t basis = 0; basis < kBases; ++basis) {
    json["interval_90"][std::string(BasisName(static_cast<Basis>(basis)))] =
        WidthOf(model.widths[basis]);
  }
  json["networks"] = Json::array();
  for (const KnownNetwork& network : model.networks) {
    json["networks"].push_back(NetworkOf(network));
  }
  json["fleet"] = {{"mean", ArrayOf(model.mean)},
                   {"spec_weights", MatrixOf(model.spec_weights)},
                   {"spec_covariance", MatrixOf(model.spec_covariance)},
                   {"rest_covariance", MatrixOf(model.rest_covariance)}};
  json["coarse"] = {{"exponents", ArrayOf(model.coarse.exponents)},
                    {"least", ArrayOf(model.coarse.least)},
                    {"most", ArrayOf(model.coarse.most)}};
  json["load"] = model.load ? LoadOf(*model.load) : Json();
  json["runs"] = Json::array();
  for (const KnownRun& run : model.runs) {
    json["runs"].push_back(RunOf(run));
  }
  return Lines(json);
}

}  // namespace edgewise
