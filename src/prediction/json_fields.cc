#include "prediction/json_fields.h"

#include <cmath>

namespace edgewise::fields {
namespace {

constexpr size_t kMostBytes = 16u << 20u;

}  // namespace

const Json& Member(const Json& object, const char* field) {
  if (!object.is_object() || !object.contains(field)) {
    throw WrongField{field};
  }
  return object[field];
}

double Number(const Json& json, const char* field, double limit) {
  if (!json.is_number()) {
    throw WrongField{field};
  }
  const double value = json.get<double>();
  if (!std::isfinite(value) || std::abs(value) > limit) {
    throw WrongField{field};
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
    throw WrongField{field};
  }
  return json.get<int64_t>();
}

std::string Text(const Json& object, const char* field) {
  const Json& json = Member(object, field);
  if (!json.is_string()) {
    throw WrongField{field};
  }
  return json.get<std::string>();
}

const Json& List(const Json& object, const char* field, size_t most) {
  const Json& json = Member(object, field);
  if (!json.is_array() || json.size() > most) {
    throw WrongField{field};
  }
  return json;
}

Error NotA(std::string_view kind, const std::string& name,
           const std::string& why) {
  return {ErrorCode::kInvalid,
          name + " is not " + std::string(kind) + ": " + why};
}

Result<Json> ParseJsonObject(std::string_view text, const std::string& name,
                             std::string_view kind) {
  if (text.size() > kMostBytes) {
    return NotA(kind, name, "it is larger than 16 MiB");
  }
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) {
    return NotA(kind, name, "it is no JSON object");
  }
  return json;
}

}  // namespace edgewise::fields
