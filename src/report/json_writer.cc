#include "report/json_writer.h"

#include <fmt/format.h>

#include <cmath>

#include "report/json_text.h"

namespace edgewise {

std::string JsonFigure(std::optional<double> value) {
  return value && std::isfinite(*value) ? fmt::format("{:.6g}", *value)
                                        : "null";
}

JsonArray& JsonArray::Add(std::string_view json) {
  if (!elements_.empty()) {
    elements_ += ',';
  }
  elements_ += json;
  return *this;
}

JsonArray& JsonArray::AddInt(int64_t value) {
  return Add(fmt::format_int(value).str());
}

JsonArray& JsonArray::AddNumber(std::optional<double> value) {
  return Add(JsonFigure(value));
}

JsonObject& JsonObject::Add(std::string_view name, std::string_view json) {
  members_ += members_.empty() ? "\"" : ",\"";
  members_ += name;
  members_ += "\":";
  members_ += json;
  return *this;
}

JsonObject& JsonObject::AddInt(std::string_view name, int64_t value) {
  return Add(name, fmt::format_int(value).str());
}

JsonObject& JsonObject::AddNumber(std::string_view name,
                                  std::optional<double> value) {
  return Add(name, JsonFigure(value));
}

JsonObject& JsonObject::AddString(std::string_view name,
                                  std::string_view text) {
  return Add(name, JsonString(text));
}

JsonObject& JsonObject::AddStrings(std::string_view name,
                                   const std::vector<std::string>& texts) {
  JsonArray array;
  for (const std::string& text : texts) {
    array.Add(JsonString(text));
  }
  return Add(name, array.text());
}

}  // namespace edgewise
