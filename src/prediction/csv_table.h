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

// Reads the whole text. `name` is what errors call it (a file's name); they
// give the line. At most a million rows.
Result<CsvTable> ParseCsv(std::string_view text, const std::string& name);

}  // namespace edgewise

#endif  // EDGEWISE_PREDICTION_CSV_TABLE_H_
