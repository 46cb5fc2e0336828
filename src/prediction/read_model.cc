#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "prediction/json_fields.h"
#include "prediction/model_file.h"

namespace edgewise {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using fields::Count;
using fields::Json;
using fields::kLargest;
using fields::List;
using fields::MaybeNumber;
using fields::Member;
using fields::Number;
using fields::Text;
using fields::WrongField;

constexpr size_t kMostNetworks = 2000;
constexpr size_t kMostRuns = 20000;
constexpr size_t kMostKnots = 100;
// Costs and counts may be larger.
constexpr double kLargestCost = 1e18;

VectorXd Vector(const Json& json, const char* field, size_t size) {
  if (!json.is_array() || json.size() != size) {
    throw WrongField{field};
  }
  VectorXd vector(static_cast<Index>(size));
  for (size_t i = 0; i < size; ++i) {
    vector[static_cast<Index>(i)] = Number(json[i], field);
  }
  return vector;
}

template <size_t N>
std::array<double, N> Array(const Json& json, const char* field, double least,
                            double most) {
  if (!json.is_array() || json.size() != N) {
    throw WrongField{field};
  }
  std::array<double, N> array{};
  for (size_t i = 0; i < N; ++i) {
    array[i] = Number(json[i], field, most);
    if (array[i] < least) {
      throw WrongField{field};
    }
  }
  return array;
}

MatrixXd Matrix(const Json& object, const char* field, size_t rows,
                size_t columns) {
  const Json& json = List(object, field, rows);
  if (json.size() != rows) {
    throw WrongField{field};
  }
  MatrixXd matrix(static_cast<Index>(rows), static_cast<Index>(columns));
  for (size_t r = 0; r < rows; ++r) {
    matrix.row(static_cast<Index>(r)) =
        Vector(json[r], field, columns).transpose();
  }
  return matrix;
}

std::optional<IntervalWidth> Width(const Json& object, const char* field) {
  const Json& json = Member(object, field);
  if (json.is_null()) {
    return std::nullopt;
  }
  const IntervalWidth width{Number(Member(json, "below"), field, 1000),
                            Number(Member(json, "above"), field, 1000)};
  if (width.below < 0 || width.above < 0) {
    throw WrongField{field};
  }
  return width;
}

NamedMetrics ReadMetrics(const Json& json) {
  NamedMetrics row;
  Metrics& m = row.metrics;
  row.name = Text(json, "name");
  m.forecasts = Count(json, "forecasts", INT64_MAX);
  m.mape = MaybeNumber(json, "mape");
  m.median_ape = MaybeNumber(json, "median_ape");
  m.within_10 = MaybeNumber(json, "within_10");
  m.within_20 = MaybeNumber(json, "within_20");
  m.rank_correlation = MaybeNumber(json, "rank_correlation");
  m.fastest_of_3 = MaybeNumber(json, "fastest_of_3");
  m.regret = MaybeNumber(json, "regret");
  m.coverage = MaybeNumber(json, "coverage");
  m.width = Width(json, "width");
  return row;
}

DeviceSpec ReadSpec(const Json& json) {
  DeviceSpec spec;
  spec.threads = static_cast<int>(Count(json, "threads", 100000));
  spec.clock_ghz = MaybeNumber(json, "clock_ghz");
  if (spec.clock_ghz && *spec.clock_ghz <= 0) {
    throw WrongField{"clock_ghz"};
  }
  const std::string core = Text(json, "core");
  for (int kind = 0; kind < kCoreKinds; ++kind) {
    if (core == CoreKindName(static_cast<CoreKind>(kind))) {
      spec.core = static_cast<CoreKind>(kind);
    }
  }
  const Json& little = Member(json, "little_cores");
  if (!little.is_boolean()) {
    throw WrongField{"little_cores"};
  }
  spec.little_cores = little.get<bool>();
  return spec;
}

KnownNetwork ReadNetwork(const Json& json) {
  KnownNetwork network;
  network.name = Text(json, "name");
  network.costs =
      Array<kCostTerms>(Member(json, "costs"), "costs", 0, kLargestCost);
  network.offset = Number(Member(json, "offset"), "offset");
  network.noise = Number(Member(json, "noise"), "noise");
  if (network.noise <= 0) {
    throw WrongField{"noise"};
  }
  if (const Json& coarse = Member(json, "coarse"); !coarse.is_null()) {
    network.coarse = Array<kCoarseTerms>(coarse, "coarse", 0, kLargest);
  }
  return network;
}

KnownRun ReadRun(const Json& json, size_t networks) {
  KnownRun run;
  run.id = Text(json, "id");
  run.device = Text(json, "device");
  run.note = Text(json, "note");
  run.spec = ReadSpec(Member(json, "spec"));
  run.log_rates = Vector(Member(json, "log_rates"), "log_rates", kCostTerms);
  run.coarse_level = MaybeNumber(json, "coarse_level");
  if (const Json& rests = Member(json, "corrections"); !rests.is_null()) {
    run.corrections = Vector(rests, "corrections", networks);
  }
  return run;
}

// Rising from 0, as a fit leaves it.
LoadCurve ReadCurve(const Json& json, const char* field) {
  LoadCurve curve;
  for (const auto& [name, values] :
       {std::pair("percent", &curve.load_percent),
        std::pair("log_slowdown", &curve.log_slowdown)}) {
    for (const Json& value : List(json, name, kMostKnots)) {
      values->push_back(Number(value, field));
    }
  }
  const auto& percent = curve.load_percent;
  const auto& slowdown = curve.log_slowdown;
  if (percent.size() != slowdown.size() || percent.size() == 1 ||
      (!percent.empty() && (percent[0] != 0 || slowdown[0] != 0)) ||
      std::adjacent_find(percent.begin(), percent.end(),
                         std::greater_equal<>()) != percent.end() ||
      !std::is_sorted(slowdown.begin(), slowdown.end())) {
    throw WrongField{field};
  }
  return curve;
}

LoadResponse ReadLoad(const Json& json) {
  LoadResponse load;
  load.one_thread = ReadCurve(Member(json, "one_thread"), "one_thread");
  load.more_threads = ReadCurve(Member(json, "more_threads"), "more_threads");
  load.log_error_90 = MaybeNumber(json, "log_error_90");
  load.rows = Count(json, "rows", INT64_MAX);
  load.most_load_percent = Number(Member(json, "most_percent"), "most_percent");
  if ((load.one_thread.load_percent.empty() &&
       load.more_threads.load_percent.empty()) ||
      load.log_error_90.value_or(0) < 0 || load.most_load_percent < 0) {
    throw WrongField{"load"};
  }
  return load;
}

LatencyModel Read(const Json& json) {
  LatencyModel model;
  const Json& terms = List(json, "terms", kCostTerms);
  for (size_t k = 0; k < kCostTerms; ++k) {
    if (terms.size() != kCostTerms ||
        terms[k] != CostTermName(static_cast<CostTerm>(k))) {
      throw WrongField{"terms"};
    }
  }
  model.source = Text(json, "source");
  model.data_digest = Text(json, "data_digest");
  model.measurements = Count(json, "measurements", INT64_MAX);
  for (const Json& row : List(json, "metrics", 1000)) {
    model.metrics.push_back(ReadMetrics(row));
  }
  const Json& widths = Member(json, "interval_90");
  for (size_t basis = 0; basis < kBases; ++basis) {
    model.widths[basis] = Width(
        widths, std::string(BasisName(static_cast<Basis>(basis))).c_str());
  }
  for (const Json& network : List(json, "networks", kMostNetworks)) {
    model.networks.push_back(ReadNetwork(network));
  }
  const size_t networks = model.networks.size();
  const Json& fleet = Member(json, "fleet");
  model.mean = Vector(Member(fleet, "mean"), "mean", kCostTerms);
  model.spec_weights = Matrix(fleet, "spec_weights", kSpecTerms, kCostTerms);
  model.spec_covariance =
      Matrix(fleet, "spec_covariance", kCostTerms, kCostTerms);
  model.rest_covariance = Matrix(fleet, "rest_covariance", networks, networks);
  const Json& coarse = Member(json, "coarse");
  model.coarse.exponents =
      Array<kCoarseTerms>(Member(coarse, "exponents"), "exponents", 0, 100);
  model.coarse.least =
      Array<kCoarseTerms>(Member(coarse, "least"), "least", 0, kLargest);
  model.coarse.most =
      Array<kCoarseTerms>(Member(coarse, "most"), "most", 0, kLargest);
  if (const Json& load = Member(json, "load"); !load.is_null()) {
    model.load = ReadLoad(load);
  }
  for (const Json& run : List(json, "runs", kMostRuns)) {
    model.runs.push_back(ReadRun(run, networks));
  }
  return model;
}

}  // namespace

Result<LatencyModel> ReadModel(std::string_view text, const std::string& name) {
  return fields::ReadJsonAs<LatencyModel>(
      text, name, "a model that this edgewise can read", [](const Json& json) {
        if (Text(json, "format") != kModelFormat) {
          throw WrongField{"format"};
        }
        if (Count(json, "version", INT64_MAX) != kModelFileVersion) {
          throw WrongField{"version"};
        }
        return Read(json);
      });
}

}  // namespace edgewise
