#include "server/url_encoded.h"

#include <optional>
#include <string>
#include <utility>

#include "base/text.h"

namespace edgewise {
namespace {

constexpr size_t kMostFields = 100;

int HexDigit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

std::optional<std::string> Decode(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      decoded += ' ';
    } else if (text[i] == '%') {
      const int high = i + 1 < text.size() ? HexDigit(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? HexDigit(text[i + 2]) : -1;
      if (high < 0 || low < 0) {
        return std::nullopt;
      }
      decoded += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}

}  // namespace

OrProblem<http::Fields> ReadUrlEncoded(std::string_view body) {
  http::Fields fields;
  for (const std::string_view pair : Split(body, '&')) {
    if (Trim(pair).empty()) {
      continue;
    }
    const size_t equals = pair.find('=');
    auto name = Decode(pair.substr(0, equals));
    auto value =
        Decode(equals == std::string_view::npos ? "" : pair.substr(equals + 1));
    if (!name || !value || fields.size() >= kMostFields) {
      return Problem{400, "invalid_form", "",
                     "the body is no form: a % must be followed by two "
                     "hexadecimal digits, and there may be 100 fields"};
    }
    fields.emplace_back(std::move(*name), std::move(*value));
  }
  return fields;
}

}  // namespace edgewise
