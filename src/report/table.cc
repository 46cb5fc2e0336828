#include "report/table.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <numeric>

#include "report/utf8.h"

namespace edgewise {
namespace {

constexpr int kGap = 2;
constexpr int kLeastElasticWidth = 8;

std::vector<int> NaturalWidths(const Table& table) {
  std::vector<int> widths;
  for (size_t column = 0; column < table.columns.size(); ++column) {
    int width = DisplayWidth(table.columns[column].title);
    for (const auto& row : table.rows) {
      if (column < row.size()) {
        width = std::max(width, DisplayWidth(row[column].text));
      }
    }
    widths.push_back(width);
  }
  return widths;
}

int TotalWidth(const std::vector<int>& widths, int indent) {
  return std::accumulate(widths.begin(), widths.end(), indent) +
         kGap * std::max(0, static_cast<int>(widths.size()) - 1);
}

// Takes what is missing from the widest elastic column, one at a time.
void Shrink(const Table& table, int available, int indent,
            std::vector<int>* widths) {
  while (TotalWidth(*widths, indent) > available) {
    int widest = -1;
    for (size_t i = 0; i < widths->size(); ++i) {
      if (table.columns[i].elastic && (*widths)[i] > kLeastElasticWidth &&
          (widest < 0 ||
           (*widths)[i] > (*widths)[static_cast<size_t>(widest)])) {
        widest = static_cast<int>(i);
      }
    }
    if (widest < 0) {
      return;
    }
    --(*widths)[static_cast<size_t>(widest)];
  }
}

// One line; tints after padding, so that codes take no columns.
std::string Line(const Table& table, const std::vector<Cell>& cells,
                 const std::vector<int>& widths, const TextStyle& style,
                 int indent) {
  std::string line(static_cast<size_t>(indent), ' ');
  size_t last = cells.size();
  while (last > 0 && cells[last - 1].text.empty()) {
    --last;
  }
  for (size_t i = 0; i < last; ++i) {
    const Column& column = table.columns[i];
    const std::string text = FitWidth(cells[i].text, std::max(1, widths[i]));
    const int blanks = widths[i] - DisplayWidth(text);
    const std::string padding(static_cast<size_t>(std::max(0, blanks)), ' ');
    if (column.right) {
      line += padding;
    }
    line += Tint(text, cells[i].tone, style);
    if (i + 1 < last) {
      if (!column.right) {
        line += padding;
      }
      line.append(kGap, ' ');
    }
  }
  line += '\n';
  return line;
}

std::string MarkdownRow(const Table& table, const std::vector<Cell>& cells) {
  std::string row = "|";
  for (size_t i = 0; i < table.columns.size(); ++i) {
    row += ' ';
    row += i < cells.size() ? MarkdownEscape(cells[i].text) : "";
    row += " |";
  }
  row += '\n';
  return row;
}

std::vector<Cell> Titles(const Table& table, Tone tone) {
  std::vector<Cell> titles;
  for (const Column& column : table.columns) {
    titles.push_back({column.title, tone});
  }
  return titles;
}

std::string_view ColorCode(Tone tone) {
  switch (tone) {
    case Tone::kPlain:
      return "";
    case Tone::kStrong:
      return "\x1b[1m";
    case Tone::kDim:
      return "\x1b[2m";
    case Tone::kGood:
      return "\x1b[32m";
    case Tone::kBad:
      return "\x1b[31m";
    case Tone::kWarning:
      return "\x1b[33m";
  }
  return "";
}

}  // namespace

std::string Tint(std::string_view text, Tone tone, const TextStyle& style) {
  const std::string_view code = ColorCode(tone);
  if (!style.color || code.empty() || text.empty()) {
    return std::string(text);
  }
  return std::string(code) + std::string(text) + "\x1b[0m";
}

int TextTableWidth(const Table& table, int indent) {
  return TotalWidth(NaturalWidths(table), indent);
}

std::string TextTable(const Table& table, const TextStyle& style, int indent) {
  if (table.rows.empty()) {
    return "";
  }
  std::vector<int> widths = NaturalWidths(table);
  Shrink(table, style.width, indent, &widths);
  std::string text =
      Line(table, Titles(table, Tone::kDim), widths, style, indent);
  for (const auto& row : table.rows) {
    text += Line(table, row, widths, style, indent);
  }
  return style.unicode ? text : ToAscii(text);
}

std::string MarkdownTable(const Table& table) {
  if (table.rows.empty()) {
    return "";
  }
  std::string text = MarkdownRow(table, Titles(table, Tone::kPlain));
  text += '|';
  for (const Column& column : table.columns) {
    text += column.right ? " ---: |" : " :--- |";
  }
  text += '\n';
  for (const auto& row : table.rows) {
    text += MarkdownRow(table, row);
  }
  return text;
}

std::string MarkdownEscape(std::string_view text) {
  const auto is_word = [&text](size_t at) {
    return at < text.size() && std::isalnum(static_cast<uint8_t>(text[at]));
  };
  std::string escaped;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    // A bracket matters only as the end of a link's text, an underscore only
    // at the border of a word.
    const bool link = c == ']' && (next == '(' || next == '[' || next == ':');
    const bool emphasis =
        c == '_' && !(i > 0 && is_word(i - 1) && is_word(i + 1));
    if (link || emphasis ||
        std::string_view("\\`*<>|~#").find(c) != std::string_view::npos) {
      escaped += '\\';
    }
    escaped += c;
  }
  return escaped;
}

}  // namespace edgewise
