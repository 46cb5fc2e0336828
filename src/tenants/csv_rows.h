// Reading rows of CSV field by field, for errors that name line and column.
#ifndef EDGEWISE_TENANTS_CSV_ROWS_H_
#define EDGEWISE_TENANTS_CSV_ROWS_H_

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/text.h"
#include "tenants/measurements.h"

namespace edgewise::tenants {

// Takes the fields of one line in order, and keeps the first that is wrong.
class LineReader {
 public:
  LineReader(std::string_view line, std::string_view columns)
      : fields_(Split(line, ',')), columns_(Split(columns, ',')) {
    if (fields_.size() != columns_.size()) {
      problem_ = fmt::format("there are {} fields instead of {}",
                             fields_.size(), columns_.size());
    }
  }

  void Take(std::string* text) {
    const std::string_view field = Next();
    if (!field.empty() && !IsPlainName(field)) {
      Refuse(field, "a name of letters, digits, \".\", \"-\" and \"_\"");
    }
    *text = field;
  }
  void Take(double* number) {
    const std::string_view field = Next();
    const auto value = ParseDouble(field);
    if (value && std::isfinite(*value) && *value >= 0) {
      *number = *value;
    } else {
      Refuse(field, "a number from 0 on");
    }
  }
  void Take(int64_t* number) {
    const std::string_view field = Next();
    const auto value = ParseInt(field);
    if (value && *value >= 0) {
      *number = *value;
    } else {
      Refuse(field, "a whole number from 0 on");
    }
  }
  void Take(int* number) {
    int64_t value = 0;
    Take(&value);
    if (value <= 1'000'000) {
      *number = static_cast<int>(value);
    } else {
      Refuse(std::to_string(value), "a number up to 1,000,000");
    }
  }
  void Take(bool* flag) {
    const std::string_view field = Next();
    *flag = field == "1";
    if (!*flag && field != "0") {
      Refuse(field, "0 or 1");
    }
  }
  void Take(Kind* kind) {
    const std::string_view field = Next();
    if (const auto parsed = ParseKind(field)) {
      *kind = *parsed;
    } else {
      Refuse(field, "baseline, pairwise, random or sensitivity");
    }
  }
  template <typename T>
  void Take(std::optional<T>* value) {
    if (at_ < fields_.size() && fields_[at_].empty()) {
      ++at_;
      value->reset();
      return;
    }
    T known{};
    Take(&known);
    *value = known;
  }
  template <typename... T>
  void TakeAll(T*... fields) {
    (Take(fields), ...);
  }

  // What must hold of the line as a whole.
  void Demand(bool holds, std::string_view otherwise) {
    if (!holds && problem_.empty()) {
      problem_ = otherwise;
    }
  }
  const std::string& problem() const { return problem_; }

 private:
  std::string_view Next() {
    return at_ < fields_.size() ? fields_[at_++] : std::string_view();
  }
  void Refuse(std::string_view field, std::string_view wanted) {
    if (problem_.empty()) {
      problem_ = fmt::format("{} is \"{}\", which is not {}",
                             columns_[std::min(at_, columns_.size()) - 1],
                             field, wanted);
    }
  }

  std::vector<std::string_view> fields_;
  std::vector<std::string_view> columns_;
  size_t at_ = 0;
  std::string problem_;
};

// Whole lines only, the header first.
template <typename Row>
Result<std::vector<Row>> ReadRows(std::string_view csv, std::string_view origin,
                                  std::string_view columns,
                                  Row (*take)(LineReader&)) {
  const auto refuse = [origin](size_t line, std::string_view what) {
    return Error{ErrorCode::kInvalid,
                 fmt::format("{}:{}: {}", origin, line, what)};
  };
  std::vector<std::string_view> lines = Split(csv, '\n');
  lines.pop_back();  // what follows the last line end is no whole line
  if (lines.empty() || lines.front() != columns) {
    return refuse(1, fmt::format("the first line must be \"{}\"", columns));
  }
  std::vector<Row> rows;
  rows.reserve(lines.size());
  for (size_t i = 1; i < lines.size(); ++i) {
    LineReader line(lines[i], columns);
    Row row = take(line);
    if (!line.problem().empty()) {
      return refuse(i + 1, line.problem());
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace edgewise::tenants

#endif  // EDGEWISE_TENANTS_CSV_ROWS_H_
