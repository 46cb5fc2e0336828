// Lines laid out to the width of the terminal.
#ifndef EDGEWISE_REPORT_PARAGRAPHS_H_
#define EDGEWISE_REPORT_PARAGRAPHS_H_

#include <string>
#include <string_view>
#include <vector>

#include "report/run_facts.h"
#include "report/table.h"

namespace edgewise {

// "first" followed by words, broken before `style.width`; lines after the
// first begin with as many blanks as `first` has columns.
std::string WrappedText(std::string_view first, std::string_view words,
                        const TextStyle& style);

// Pieces joined by " · ", broken only between pieces.
std::string WrappedPieces(std::string_view first,
                          const std::vector<std::string>& pieces,
                          const TextStyle& style);

// Names in one column, what is known of them in the next, with a sparkline at
// the right where there is room.
std::string FactLines(const std::vector<Fact>& facts, const TextStyle& style);

// A dim title, then one item per paragraph with a hanging indent; empty
// without items.
std::string ItemLines(std::string_view title,
                      const std::vector<std::string>& items, Tone tone,
                      const TextStyle& style);

// Appends a block after an empty line; nothing if the block is empty.
void AppendBlock(std::string* text, const std::string& block);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_PARAGRAPHS_H_
