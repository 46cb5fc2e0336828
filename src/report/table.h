// Tables of short texts, for a terminal or for Markdown, from the same rows.
//
// Knows nothing of Runs: whoever makes a table has formatted its numbers.
#ifndef EDGEWISE_REPORT_TABLE_H_
#define EDGEWISE_REPORT_TABLE_H_

#include <string>
#include <string_view>
#include <vector>

namespace edgewise {

// How text for people should look.
struct TextStyle {
  bool color = false;
  bool unicode = true;  // else ASCII only
  int width = 80;       // columns of the terminal; texts are laid out to fit
};

// What a text means to the reader; shown as a colour only if asked.
enum class Tone { kPlain, kStrong, kDim, kGood, kBad, kWarning };

// The text within the terminal's codes for `tone`, or as it is without colour.
std::string Tint(std::string_view text, Tone tone, const TextStyle& style);

struct Cell {
  std::string text;  // valid UTF-8 on one line
  Tone tone = Tone::kPlain;
};

struct Column {
  std::string title;
  bool right = true;  // numbers stand right, words left
  // Gives way, down to a few columns, where the table is wider than the style.
  bool elastic = false;
};

struct Table {
  std::vector<Column> columns;
  // Rows may be shorter than the columns; missing cells are empty.
  std::vector<std::vector<Cell>> rows;
};

// The columns a table takes on the terminal when nothing is cut.
int TextTableWidth(const Table& table, int indent = 0);
// One line per row, each ended by a line feed and without trailing blanks,
// titles first (dim). Empty for a table without rows.
std::string TextTable(const Table& table, const TextStyle& style,
                      int indent = 0);
// A GitHub-flavoured Markdown table. Empty for a table without rows.
std::string MarkdownTable(const Table& table);
// Text that Markdown shows as it is, also within a table cell.
std::string MarkdownEscape(std::string_view text);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_TABLE_H_
