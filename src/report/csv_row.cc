#include "report/csv_row.h"

#include <fmt/format.h>

#include <cmath>

#include "report/utf8.h"

namespace edgewise {

std::string CsvField(std::string_view text) {
  const std::string valid = ValidUtf8(text);
  if (valid.find_first_of(",\"\r\n") == std::string::npos) {
    return valid;
  }
  std::string quoted = "\"";
  for (const char c : valid) {
    if (c == '"') {
      quoted += '"';
    }
    quoted += c;
  }
  quoted += '"';
  return quoted;
}

void AppendCsvRow(std::string* csv,
                  std::initializer_list<std::string_view> fields) {
  bool first = true;
  for (const std::string_view field : fields) {
    if (!first) {
      *csv += ',';
    }
    first = false;
    *csv += CsvField(field);
  }
  *csv += '\n';
}

std::string CsvNumber(std::optional<double> value) {
  if (!value || !std::isfinite(*value)) {
    return "";
  }
  return fmt::format("{}", *value);
}

std::string CsvDecimal(int64_t ns, int decimals) {
  const bool negative = ns < 0;
  const uint64_t magnitude =
      negative ? 0 - static_cast<uint64_t>(ns) : static_cast<uint64_t>(ns);
  uint64_t scale = 1;
  for (int i = 0; i < decimals; ++i) {
    scale *= 10;
  }
  return fmt::format("{}{}.{:0{}}", negative ? "-" : "", magnitude / scale,
                     magnitude % scale, decimals);
}

}  // namespace edgewise
