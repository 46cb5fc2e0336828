// Text of unknown origin made fit for a terminal: valid, measured, harmless.
//
// Command lines, thread names and the program's own output may hold any bytes.
// Everything that is shown passes through Printable() first, so that it can
// neither break a column nor send an escape sequence to the user's terminal.
#ifndef EDGEWISE_REPORT_UTF8_H_
#define EDGEWISE_REPORT_UTF8_H_

#include <string>
#include <string_view>

namespace edgewise {

// Takes one code point off the front of a non-empty text. Bytes that are no
// valid UTF-8 are taken one at a time as U+FFFD.
char32_t TakeCodePoint(std::string_view* text);
void AppendCodePoint(std::string* text, char32_t code_point);

// The same text as valid UTF-8: each byte that is not is replaced by U+FFFD.
std::string ValidUtf8(std::string_view text);
// Valid UTF-8 on one line: blanks for tabs and line ends, U+FFFD for other
// control characters.
std::string Printable(std::string_view text);

// Columns that valid UTF-8 takes on a terminal: 2 for wide East Asian letters
// and pictographs, 0 for combining marks.
int DisplayWidth(std::string_view text);
// At most `width` columns of the text; where something is cut off the last
// column is an ellipsis. `width` >= 1.
std::string FitWidth(std::string_view text, int width);
// The text followed (or, `right`, preceded) by blanks up to `width` columns.
std::string PadWidth(std::string_view text, int width, bool right = false);

// For terminals without UTF-8: every code point becomes as many ASCII
// characters as it has columns; those without a likeness become "?".
std::string ToAscii(std::string_view text);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_UTF8_H_
