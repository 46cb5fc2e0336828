#include "base/utf8.h"

namespace edgewise {

size_t Utf8CharacterBytes(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const size_t length = lead < 0x80   ? 1
                        : lead < 0xC2 ? 0
                        : lead < 0xE0 ? 2
                        : lead < 0xF0 ? 3
                        : lead < 0xF5 ? 4
                                      : 0;
  if (length == 0 || length > text.size()) {
    return 0;
  }
  for (size_t i = 1; i < length; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) {
      return 0;
    }
  }
  const auto second = length > 1 ? static_cast<unsigned char>(text[1]) : 0x80;
  // Overlong forms, surrogates, and what lies beyond Unicode.
  if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
      (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F)) {
    return 0;
  }
  return length;
}

size_t FindNotUtf8(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    const size_t length = Utf8CharacterBytes(text.substr(at));
    if (length == 0) {
      return at;
    }
    at += length;
  }
  return std::string_view::npos;
}

}  // namespace edgewise
