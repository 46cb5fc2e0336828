#include "report/utf8.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "base/utf8.h"

namespace edgewise {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr std::string_view kEllipsis = "…";

struct Range {
  char32_t first;
  char32_t last;
};

template <size_t N>
bool IsIn(const std::array<Range, N>& ranges, char32_t code_point) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const Range& range) {
    return range.first <= code_point && code_point <= range.last;
  });
}

int WidthOf(char32_t code_point) {
  static constexpr std::array<Range, 5> kMarks{{{0x0300, 0x036F},
                                                {0x200B, 0x200F},
                                                {0x20D0, 0x20FF},
                                                {0xFE00, 0xFE0F},
                                                {0xFE20, 0xFE2F}}};
  static constexpr std::array<Range, 11> kWide{{{0x1100, 0x115F},
                                                {0x2E80, 0x303E},
                                                {0x3041, 0xA4CF},
                                                {0xAC00, 0xD7A3},
                                                {0xF900, 0xFAFF},
                                                {0xFE30, 0xFE6F},
                                                {0xFF00, 0xFF60},
                                                {0xFFE0, 0xFFE6},
                                                {0x1F300, 0x1F64F},
                                                {0x1F680, 0x1FAFF},
                                                {0x20000, 0x3FFFD}}};
  if (code_point < 0x0300) {
    return 1;
  }
  if (IsIn(kMarks, code_point)) {
    return 0;
  }
  return IsIn(kWide, code_point) ? 2 : 1;
}

bool IsControl(char32_t code_point) {
  return code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0) ||
         // Marks that reorder the text around them.
         (code_point >= 0x202A && code_point <= 0x202E) ||
         (code_point >= 0x2066 && code_point <= 0x2069);
}

char AsciiOf(char32_t code_point) {
  static constexpr std::array<std::pair<char32_t, char>, 22> kLikeness{{
      {U'–', '-'}, {U'—', '-'}, {U'·', '|'}, {U'µ', 'u'}, {U'×', 'x'},
      {U'…', '~'}, {U'≥', '>'}, {U'≤', '<'}, {U'≈', '~'}, {U'√', '/'},
      {U'°', ' '}, {U'±', '~'}, {U'→', '>'}, {U'─', '-'}, {U'’', '\''},
      {U'▁', '_'}, {U'▂', '.'}, {U'▃', '-'}, {U'▄', '='}, {U'▅', '+'},
      {U'▆', '*'}, {U'▇', '%'},
  }};
  if (code_point < 0x80) {
    return static_cast<char>(code_point);
  }
  if (code_point == U'█') {
    return '#';
  }
  for (const auto& [unicode, ascii] : kLikeness) {
    if (unicode == code_point) {
      return ascii;
    }
  }
  return '?';
}

}  // namespace

char32_t TakeCodePoint(std::string_view* text) {
  const size_t length = Utf8CharacterBytes(*text);
  if (length == 0) {
    text->remove_prefix(1);
    return kReplacement;
  }
  // Of the first byte, what is left beside the mark of the length.
  static constexpr std::array<uint8_t, 5> kFirstBits{0, 0x7F, 0x1F, 0x0F, 0x07};
  char32_t code_point =
      static_cast<uint8_t>(text->front()) & kFirstBits.at(length);
  for (const char byte : text->substr(1, length - 1)) {
    code_point = (code_point << 6U) | (static_cast<uint8_t>(byte) & 0x3FU);
  }
  text->remove_prefix(length);
  return code_point;
}

void AppendCodePoint(std::string* text, char32_t code_point) {
  const auto put = [text](char32_t byte) {
    text->push_back(static_cast<char>(byte));
  };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0U | (code_point >> 6U));
    put(0x80U | (code_point & 0x3FU));
  } else if (code_point < 0x10000) {
    put(0xE0U | (code_point >> 12U));
    put(0x80U | ((code_point >> 6U) & 0x3FU));
    put(0x80U | (code_point & 0x3FU));
  } else {
    put(0xF0U | (code_point >> 18U));
    put(0x80U | ((code_point >> 12U) & 0x3FU));
    put(0x80U | ((code_point >> 6U) & 0x3FU));
    put(0x80U | (code_point & 0x3FU));
  }
}

std::string ValidUtf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    AppendCodePoint(&valid, TakeCodePoint(&text));
  }
  return valid;
}

std::string Printable(std::string_view text) {
  std::string printable;
  printable.reserve(text.size());
  while (!text.empty()) {
    const char32_t code_point = TakeCodePoint(&text);
    if (code_point == U'\t' || code_point == U'\n' || code_point == U'\r') {
      printable += ' ';
    } else {
      AppendCodePoint(&printable,
                      IsControl(code_point) ? kReplacement : code_point);
    }
  }
  return printable;
}

int DisplayWidth(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    width += WidthOf(TakeCodePoint(&text));
  }
  return width;
}

std::string FitWidth(std::string_view text, int width) {
  if (DisplayWidth(text) <= width) {
    return std::string(text);
  }
  std::string fitted;
  int used = 1;  // the ellipsis
  while (!text.empty()) {
    const char32_t code_point = TakeCodePoint(&text);
    used += WidthOf(code_point);
    if (used > width) {
      break;
    }
    AppendCodePoint(&fitted, code_point);
  }
  fitted += kEllipsis;
  return fitted;
}

std::string PadWidth(std::string_view text, int width, bool right) {
  const int missing = std::max(0, width - DisplayWidth(text));
  const std::string blanks(static_cast<size_t>(missing), ' ');
  return right ? blanks + std::string(text) : std::string(text) + blanks;
}

std::string ToAscii(std::string_view text) {
  std::string ascii;
  ascii.reserve(text.size());
  while (!text.empty()) {
    const char32_t code_point = TakeCodePoint(&text);
    ascii.append(static_cast<size_t>(WidthOf(code_point)), AsciiOf(code_point));
  }
  return ascii;
}

}  // namespace edgewise
