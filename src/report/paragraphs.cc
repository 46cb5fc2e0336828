#include "report/paragraphs.h"

#include <algorithm>

#include "base/text.h"
#include "report/pictures.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

constexpr std::string_view kSeparator = " · ";
constexpr int kSparkWidth = 24;
constexpr int kLeastSparkWidth = 10;

// Joins parts with a separator, and begins a new line where the next part
// would not fit. The separator is left out at the end of a line.
std::string Wrap(std::string_view first, const std::vector<std::string>& parts,
                 std::string_view separator, int width) {
  const int indent = DisplayWidth(first);
  std::string text(first);
  int used = indent;
  bool at_start = true;
  for (const std::string& part : parts) {
    const int needed =
        DisplayWidth(part) + (at_start ? 0 : DisplayWidth(separator));
    if (!at_start && used + needed > width) {
      text += '\n' + std::string(static_cast<size_t>(indent), ' ');
      used = indent;
      at_start = true;
    }
    if (!at_start) {
      text += separator;
      used += DisplayWidth(separator);
    }
    text += part;
    used += DisplayWidth(part);
    at_start = false;
  }
  text += '\n';
  return text;
}

}  // namespace

std::string WrappedText(std::string_view first, std::string_view words,
                        const TextStyle& style) {
  std::vector<std::string> parts;
  for (const std::string_view word : SplitFields(words)) {
    parts.emplace_back(word);
  }
  return Wrap(first, parts, " ", style.width);
}

std::string WrappedPieces(std::string_view first,
                          const std::vector<std::string>& pieces,
                          const TextStyle& style) {
  return Wrap(first, pieces, kSeparator, style.width);
}

std::string FactLines(const std::vector<Fact>& facts, const TextStyle& style) {
  int name_width = 0;
  for (const Fact& fact : facts) {
    name_width = std::max(name_width, DisplayWidth(fact.name));
  }
  std::string text;
  for (const Fact& fact : facts) {
    const std::string first = PadWidth(fact.name, name_width) + "  ";
    std::string lines = WrappedPieces(first, fact.pieces, style);
    const size_t first_line_bytes = lines.find('\n');
    const std::string_view first_line(lines.data(), first_line_bytes);
    const int room = style.width - DisplayWidth(first_line) - 2;
    if (fact.trend.size() > 1 && room >= kLeastSparkWidth) {
      const std::string spark =
          Sparkline(fact.trend, std::min(room, kSparkWidth), style);
      const int blanks =
          style.width - DisplayWidth(first_line) - DisplayWidth(spark);
      lines.insert(first_line_bytes,
                   std::string(static_cast<size_t>(blanks), ' ') + spark);
    }
    text += Tint(fact.name, Tone::kDim, style) + lines.substr(fact.name.size());
  }
  return text;
}

std::string ItemLines(std::string_view title,
                      const std::vector<std::string>& items, Tone tone,
                      const TextStyle& style) {
  if (items.empty()) {
    return "";
  }
  std::string text = Tint(title, tone, style) + "\n";
  for (const std::string& item : items) {
    text += WrappedText("  ", item, style);
  }
  return text;
}

void AppendBlock(std::string* text, const std::string& block) {
  if (!block.empty()) {
    *text += "\n" + block;
  }
}

}  // namespace edgewise
