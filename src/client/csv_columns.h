// The columns of one profile log row, as text.
#ifndef EDGEWISE_CLIENT_CSV_COLUMNS_H_
#define EDGEWISE_CLIENT_CSV_COLUMNS_H_

#include <cstddef>

#include "client/csv_log.h"

namespace edgewise::client {

// A text of bounded length. What does not fit sets `overflow`.
class LineBuffer {
 public:
  void Append(const char* text, size_t bytes);
  void Append(char byte) { Append(&byte, 1); }
  // A field, quoted the way Python's csv module quotes.
  void AppendField(const char* text, size_t bytes);

  const char* data() const { return data_; }
  size_t size() const { return size_; }
  bool overflow() const { return overflow_; }

 private:
  char data_[8192];
  size_t size_ = 0;
  bool overflow_ = false;
};

// Fills `header` and `line`, each with its line end. Samples the memory,
// threads and affinity of this process; what cannot be read is an empty field.
// False if there are too many columns or the text is too long.
bool FormatCsvRow(const CsvRow& row, LineBuffer& header, LineBuffer& line);

}  // namespace edgewise::client

#endif  // EDGEWISE_CLIENT_CSV_COLUMNS_H_
