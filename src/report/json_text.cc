#include "report/json_text.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "report/utf8.h"

namespace edgewise {

std::string JsonString(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : ValidUtf8(text)) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      fmt::format_to(std::back_inserter(quoted), "\\u{:04x}",
                     static_cast<unsigned>(c));
    } else {
      quoted += c;
    }
  }
  quoted += '"';
  return quoted;
}

std::string JsonNumber(std::optional<double> value) {
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
  return Add(JsonNumber(value));
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
  return Add(name, JsonNumber(value));
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
