#include "cluster/prometheus_answer.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/text.h"

namespace edgewise::cluster {
namespace {

using Json = nlohmann::json;

Error NotPrometheus() {
  return {ErrorCode::kCorrupt, "the answer is not one of Prometheus"};
}

std::optional<Sample> ReadSample(const Json& json) {
  const Json& value = json.at("value");
  if (!value.is_array() || value.size() != 2 || !value[0].is_number() ||
      !value[1].is_string()) {
    return std::nullopt;
  }
  Sample sample;
  sample.time_s = value[0].get<double>();
  const auto number = ParseDouble(value[1].get_ref<const std::string&>());
  if (!number || !std::isfinite(*number) || !std::isfinite(sample.time_s)) {
    return std::nullopt;
  }
  sample.value = *number;
  for (const auto& [name, label] : json.at("metric").items()) {
    if (label.is_string()) {
      sample.labels.emplace(name, label.get<std::string>());
    }
  }
  return sample;
}

}  // namespace

std::string Sample::Label(const std::string& name) const {
  const auto found = labels.find(name);
  return found == labels.end() ? "" : found->second;
}

std::string Sample::LabelEndingWith(std::string_view ending) const {
  for (const auto& [name, label] : labels) {
    if (name.ends_with(ending)) {
      return label;
    }
  }
  return "";
}

Result<std::vector<Sample>> ReadVector(std::string_view json) {
  const Json document = Json::parse(json, nullptr, false);
  if (!document.is_object()) {
    return NotPrometheus();
  }
  try {
    if (document.value("status", "") == "error") {
      return Error{ErrorCode::kInvalid,
                   "it answers \"" + document.value("error", "") + "\""};
    }
    const Json& data = document.at("data");
    if (data.at("resultType") != "vector" || !data.at("result").is_array()) {
      return NotPrometheus();
    }
    std::vector<Sample> samples;
    for (const Json& each : data.at("result")) {
      if (auto sample = ReadSample(each)) {
        samples.push_back(std::move(*sample));
      }
    }
    return samples;
  } catch (const Json::exception&) {
    return NotPrometheus();
  }
}

}  // namespace edgewise::cluster
