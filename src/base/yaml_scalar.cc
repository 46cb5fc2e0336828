#include "base/yaml_scalar.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace edgewise {
namespace {

std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const size_t length = Utf8CharacterBytes(text);
    const auto byte = static_cast<unsigned char>(text.front());
    if (length == 0 || byte < 0x20 || byte == 0x7F) {
      quoted += byte == '\n'   ? std::string("\\n")
                : byte == '\t' ? std::string("\\t")
                               : fmt::format("\\x{:02x}", byte);
      text.remove_prefix(1);
      continue;
    }
    if (byte == '"' || byte == '\\') {
      quoted += '\\';
    }
    quoted += text.substr(0, length);
    text.remove_prefix(length);
  }
  return quoted + "\"";
}

}  // namespace

std::string YamlScalar(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+";
  constexpr std::string_view kWords[] = {"y",   "n",    "yes",   "no",  "on",
                                         "off", "true", "false", "null"};
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  const bool letter_first =
      !text.empty() && ((lower[0] >= 'a' && lower[0] <= 'z') ||
                        lower[0] == '_' || lower[0] == '/');
  if (!letter_first ||
      text.find_first_not_of(kPlain) != std::string_view::npos ||
      std::find(std::begin(kWords), std::end(kWords), lower) !=
          std::end(kWords)) {
    return Quoted(text);
  }
  return std::string(text);
}

}  // namespace edgewise
