// Which source line a Python instruction belongs to: co_linetable, decoded.
//
// The format since 3.11 (CPython's Objects/locations.md) is a list of entries,
// each for the next 1 to 8 code units. An entry's first byte is
// 1 CCCC LLL: a code C and the length less one L. Bytes that follow have the
// top bit clear. Line numbers are deltas to the entry before:
//
//   C       bytes after the first                             line delta
//   0-9     1 (columns)                                       0
//   10-12   2 (columns)                                       C - 10
//   13      1 signed varint (delta)                           as it says
//   14      1 signed varint (delta), 3 varints (end, columns) as it says
//   15      none                                              no line at all
//
// A varint has 6 bits a byte, least significant first, bit 6 set where another
// byte follows; a signed one has its sign in bit 0. A byte that starts no entry
// where one is due ends the table. Example: in a function whose first line is
// 7, "e8 02" is one unit (L = 0) of line 8 (C = 13; the varint 2 means +1).
#ifndef EDGEWISE_PROBES_PYTHON_LINE_TABLE_H_
#define EDGEWISE_PROBES_PYTHON_LINE_TABLE_H_

#include <cstdint>
#include <string_view>
#include <vector>

namespace edgewise::python {

class LineTable {
 public:
  LineTable() = default;
  // Decodes as much as makes sense; memory stays within a small multiple of
  // the size of `bytes`, which must be below 512 MiB.
  LineTable(std::string_view bytes, int32_t first_line);

  // The line of the code unit; 0 if it has none or lies beyond the table.
  int32_t LineAt(uint64_t unit) const;

 private:
  struct Run {
    uint32_t end_unit;
    int32_t line;  // 0: none
  };
  std::vector<Run> runs_;  // ascending; each begins where the last one ended
};

}  // namespace edgewise::python

#endif  // EDGEWISE_PROBES_PYTHON_LINE_TABLE_H_
