// Tables in CSV, as spreadsheets write them: one header line, fields that may
// be quoted, columns found by name.
#ifndef EDGEWISE_PREDICTION_CSV_TABLE_H_
#define EDGEWISE_PREDICTION_CSV_TABLE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace edgewise {

struct CsvTable {
  std::vector<std::string> columns;
  // Every row has as many fields as there are columns.
  std::vector<std::vector<std::string>> rows;

  // Where a column is; nullopt if the table has none of that name.
  std::optional<size_t> Find(std::string_view column) const;
};

// One row of a table, by the names of its columns. The table must outlive it.
class CsvRow {
 public:
  CsvRow(const CsvTable& table, size_t row) : table_(table), row_(row) {}

  // "" where the table has no such column.
  std::string_view Text(std::string_view column) const;
  // Finite and at least 0; nullopt if the field is anything else.
  std::optional<double> Number(std::string_view column) const;
  // The error that a field of the row named `column` is wrong; `name` is the
  // table's.
  Error Wrong(const std::string& name, std::string_view column) const;

 private:
  const CsvTable& table_;
  size_t row_;
};

// Reads the whole text. `name` is what errors call it (a file's name); they
// give the line. At most a million rows.
Result<CsvTable> ParseCsv(std::string_view text, const std::string& name);

}  // namespace edgewise

#endif  // EDGEWISE_PREDICTION_CSV_TABLE_H_
