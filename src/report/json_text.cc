#include "report/json_text.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "base/utf8.h"
#include "report/utf8.h"

namespace edgewise {

std::string JsonString(std::string_view text) {
  std::string valid;
  if (FindNotUtf8(text) != std::string_view::npos) {
    valid = ValidUtf8(text);
    text = valid;
  }
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      json += '\\';
      json += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      json += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      json += c;
    }
  }
  json += '"';
  return json;
}

std::string JsonNumber(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "null";
}

std::string JsonThousandths(int64_t thousandths) {
  std::string text = thousandths < 0 ? "-" : "";
  const auto magnitude = thousandths < 0
                             ? 0 - static_cast<uint64_t>(thousandths)
                             : static_cast<uint64_t>(thousandths);
  text += std::to_string(magnitude / 1000);
  if (const uint64_t rest = magnitude % 1000; rest > 0) {
    text += fmt::format(".{:03}", rest);
    text.erase(text.find_last_not_of('0') + 1);
  }
  return text;
}

}  // namespace edgewise
