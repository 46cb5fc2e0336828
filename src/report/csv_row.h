// Rows of CSV as RFC 4180 has them, with LF line ends.
#ifndef EDGEWISE_REPORT_CSV_ROW_H_
#define EDGEWISE_REPORT_CSV_ROW_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace edgewise {

// The field as it stands in a row: quoted where it holds a comma, a quote or a
// line end, with quotes doubled. Bytes that are no UTF-8 become U+FFFD.
std::string CsvField(std::string_view text);
// Appends one row; every field is quoted where needed.
void AppendCsvRow(std::string* csv,
                  std::initializer_list<std::string_view> fields);

// Numbers for machines: shortest digits that read back the same; empty for
// unknown and for what is not finite.
std::string CsvNumber(std::optional<double> value);
// Exactly ns / 10^9, or with `decimals` = 6 ns / 10^6 (9: seconds of
// nanoseconds, 6: milliseconds).
std::string CsvDecimal(int64_t ns, int decimals);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_CSV_ROW_H_
