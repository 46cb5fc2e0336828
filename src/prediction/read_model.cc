#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "prediction/model_file.h"

namespace edgewise {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Json = nlohmann::json;

constexpr size_t kMostBytes = 16u << 20u;
constexpr size_t kMostNetworks = 2000;
constexpr size_t kMostRuns = 20000;
// Logarithms beyond this are no rates of anything.
constexpr double kLargest = 100;
// Costs and counts may be larger.
constexpr double kLargestCost = 1e18;

// Thrown and caught in this file only: which field is wrong.
struct Wrong {
  std::string field;
};

const Json& Member(const Json& object, const char* field) {
  if (!object.is_object() || !object.contains(field)) {
    throw Wrong{field};
  }
  return object[field];
}

double Number(const Json& json, const char* field, double limit = kLargest) {
  if (!json.is_number()) {
    throw Wrong{field};
  }
  const double value = json.get<double>();
  if (!std::isfinite(value) || std::abs(value) > limit) {
    throw Wrong{field};
  }
  return value;
}

std::optional<double> MaybeNumber(const Json& object, const char* field) {
  const Json& json = Member(object, field);
  return json.is_null() ? std::nullopt : std::optional(Number(json, field));
}

int64_t Count(const Json& object, const char* field, int64_t most) {
  const Json& json = Member(object, field);
  if (!json.is_number_integer() || json < 0 || json > most) {
    throw Wrong{field};
  }
  return json.get<int64_t>();
}

std::string Text(const Json& object, const char* field) {
  const Json& json = Member(object, field);
  if (!json.is_string()) {
    throw Wrong{field};
  }
  return json.get<std::string>();
}

const Json& List(const Json& object, const char* field, size_t most) {
  const Json& json = Member(object, field);
  if (!json.is_array() || json.size() > most) {
    throw Wrong{field};
  }
  return json;
}

VectorXd Vector(const Json& json, const char* field, size_t size) {
  if (!json.is_array() || json.size() != size) {
    throw Wrong{field};
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
    throw Wrong{field};
  }
  std::array<double, N> array{};
  for (size_t i = 0; i < N; ++i) {
    array[i] = Number(json[i], field, most);
    if (array[i] < least) {
      throw Wrong{field};
    }
  }
  return array;
}

MatrixXd Matrix(const Json& object, const char* field, size_t rows,
                size_t columns) {
  const Json& json = List(object, field, rows);
  if (json.size() != rows) {
    throw Wrong{field};
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
    throw Wrong{field};
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
    throw Wrong{"clock_ghz"};
  }
  const std::string core = Text(json, "core");
  for (int kind = 0; kind < kCoreKinds; ++kind) {
    if (core == CoreKindName(static_cast<CoreKind>(kind))) {
      spec.core = static_cast<CoreKind>(kind);
    }
  }
  const Json& little = Member(json, "little_cores");
  if (!little.is_boolean()) {
    throw Wrong{"little_cores"};
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
    throw Wrong{"noise"};
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

LatencyModel Read(const Json& json) {
  LatencyModel model;
  const Json& terms = List(json, "terms", kCostTerms);
  for (size_t k = 0; k < kCostTerms; ++k) {
    if (terms.size() != kCostTerms ||
        terms[k] != CostTermName(static_cast<CostTerm>(k))) {
      throw Wrong{"terms"};
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
  for (const Json& run : List(json, "runs", kMostRuns)) {
    model.runs.push_back(ReadRun(run, networks));
  }
  return model;
}

// What `read` makes of the text as JSON; errors name the field.
template <typename T, typename Reader>
Result<T> ReadAs(std::string_view text, const std::string& name,
                 std::string_view kind, const Reader& read) {
  const auto wrong = [&](const std::string& what) {
    return Error{ErrorCode::kInvalid,
                 name + " is not " + std::string(kind) + ": " + what};
  };
  if (text.size() > kMostBytes) {
    return wrong("it is larger than 16 MiB");
  }
  try {
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object()) {
      return wrong("it is no JSON object");
    }
    return read(json);
  } catch (const Wrong& at) {
    return wrong("\"" + at.field + "\" is missing or wrong");
  } catch (const Json::exception&) {
    return wrong("it is damaged");
  }
}

}  // namespace

Result<LatencyModel> ReadModel(std::string_view text, const std::string& name) {
  return ReadAs<LatencyModel>(
      text, name, "a model that this edgewise can read", [](const Json& json) {
        if (Text(json, "format") != kModelFormat) {
          throw Wrong{"format"};
        }
        if (Count(json, "version", INT64_MAX) != kModelFileVersion) {
          throw Wrong{"version"};
        }
        return Read(json);
      });
}

Result<Characteristics> ReadCharacteristicsJson(std::string_view text,
                                                const std::string& name) {
  return ReadAs<Characteristics>(
      text, name, "a set of model characteristics", [](const Json& json) {
        const auto field = [&](const char* key) {
          const double value = Number(Member(json, key), key, 1e300);
          if (value < 0) {
            throw Wrong{key};
          }
          return value;
        };
        Characteristics model;
        model.model = json.contains("model") ? Text(json, "model") : "model";
        model.conv_layers = field("conv_layers");
        model.pool_layers = field("pool_layers");
        model.fc_layers = field("fc_layers");
        model.filter_details = field("filter_details");
        model.total_parameters = field("total_parameters");
        model.model_input_bytes = field("model_input_size");
        model.model_output_bytes = field("model_output_size");
        return model;
      });
}

}  // namespace edgewise
