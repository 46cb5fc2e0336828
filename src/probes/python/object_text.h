// The text of Python's str and bytes objects in another process.
#ifndef EDGEWISE_PROBES_PYTHON_OBJECT_TEXT_H_
#define EDGEWISE_PROBES_PYTHON_OBJECT_TEXT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "probes/python/layout.h"
#include "probes/python/remote_memory.h"

namespace edgewise::python {

// Longer names are cut here; they end in "…".
inline constexpr uint64_t kMaxNameCharacters = 1024;
// Of a line table: a function of some 30,000 lines.
inline constexpr uint64_t kMaxLineTableBytes = uint64_t{1} << 18;

// What a code object refers to.
struct CodeTexts {
  std::string qualname;  // UTF-8 without control characters
  std::string filename;
  std::string line_table;  // empty where it is too long
};

// Reads the three objects at these addresses with two reads of the memory;
// nullopt if one of them is not what it should be.
std::optional<CodeTexts> ReadCodeTexts(const ReadPieces& read,
                                       const Layout& layout, uint64_t qualname,
                                       uint64_t filename, uint64_t line_table);

// Characters of 1, 2 or 4 bytes each (latin-1, UCS-2, UCS-4), whole ones only,
// as UTF-8. Surrogates and what lies beyond Unicode become U+FFFD, control
// characters '?'.
std::string Utf8FromCharacters(std::string_view bytes, size_t character_bytes);

}  // namespace edgewise::python

#endif  // EDGEWISE_PROBES_PYTHON_OBJECT_TEXT_H_
