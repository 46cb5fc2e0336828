#include "prediction/csv_table.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace edgewise {
namespace {

constexpr size_t kMostRows = 1'000'000;
constexpr size_t kMostColumns = 1000;

// Reads the record that starts at `at` and moves `at` behind it. Quoted
// fields may hold commas, doubled quotes and line feeds.
bool ReadRecord(std::string_view text, size_t& at,
                std::vector<std::string>& fields) {
  fields.assign(1, "");
  bool quoted = false;
  while (at < text.size()) {
    const char c = text[at++];
    if (quoted) {
      if (c != '"') {
        fields.back() += c;
      } else if (at < text.size() && text[at] == '"') {
        fields.back() += text[at++];
      } else {
        quoted = false;
      }
    } else if (c == '"' && fields.back().empty()) {
      quoted = true;
    } else if (c == ',') {
      if (fields.size() == kMostColumns) {
        return false;
      }
      fields.emplace_back();
    } else if (c == '\n') {
      return true;
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  return !quoted;
}

}  // namespace

std::optional<size_t> CsvTable::Find(std::string_view column) const {
  const auto found = std::find(columns.begin(), columns.end(), column);
  if (found == columns.end()) {
    return std::nullopt;
  }
  return static_cast<size_t>(found - columns.begin());
}

std::string_view CsvRow::Text(std::string_view column) const {
  const auto at = table_.Find(column);
  return at ? std::string_view(table_.rows[row_][*at]) : std::string_view();
}

std::optional<double> CsvRow::Number(std::string_view column) const {
  const auto number = ParseDouble(Text(column));
  return number && std::isfinite(*number) && *number >= 0 ? number
                                                          : std::nullopt;
}

Error CsvRow::Wrong(const std::string& name, std::string_view column) const {
  return {ErrorCode::kInvalid, name + ", row " + std::to_string(row_ + 1) +
                                   ": " + std::string(column) + " is \"" +
                                   std::string(Text(column)) +
                                   "\", not what it should be"};
}

Result<CsvTable> ParseCsv(std::string_view text, const std::string& name) {
  CsvTable table;
  size_t at = 0;
  if (text.starts_with("\xEF\xBB\xBF")) {
    at = 3;
  }
  size_t record = 1;
  const auto wrong = [&](const std::string& what) {
    return Error{ErrorCode::kInvalid,
                 name + ", record " + std::to_string(record) + ": " + what};
  };
  if (!ReadRecord(text, at, table.columns) ||
      (table.columns.size() == 1 && table.columns[0].empty())) {
    return wrong("not a CSV header; the first line names the columns");
  }
  std::vector<std::string> fields;
  while (at < text.size()) {
    ++record;
    if (!ReadRecord(text, at, fields)) {
      return wrong("a quoted field does not end, or there are too many fields");
    }
    if (fields.size() == 1 && fields[0].empty()) {
      continue;  // an empty line
    }
    if (fields.size() != table.columns.size()) {
      return wrong(std::to_string(fields.size()) + " fields where the header " +
                   "has " + std::to_string(table.columns.size()));
    }
    if (table.rows.size() == kMostRows) {
      return wrong("more than a million rows; split the file");
    }
    table.rows.push_back(fields);
  }
  return table;
}

}  // namespace edgewise
