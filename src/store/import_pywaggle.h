// Makes a Run of a data.ndjson that pywaggle wrote to PYWAGGLE_LOG_DIR.
//
// One JSON object a line: {"name": …, "value": …, "meta": {…}, "timestamp": …},
// with the timestamp in nanoseconds since 1970 or as ISO 8601 text. Values
// named plugin.duration.* are integer nanoseconds of a block that ended at the
// timestamp (`with plugin.timeit(...)`): they become spans. Other numbers
// become gauges. Texts, such as uploaded files' names, are left out and
// counted.
#ifndef EDGEWISE_STORE_IMPORT_PYWAGGLE_H_
#define EDGEWISE_STORE_IMPORT_PYWAGGLE_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/run.h"
#include "store/store.h"

namespace edgewise {

// One line that was understood.
struct PywaggleRecord {
  std::string name;
  int64_t timestamp_utc_ns = 0;
  // Exactly one of these, or none for a value that is no number.
  std::optional<int64_t> duration_ns;
  std::optional<double> number;
  std::string meta;  // "camera=left,job=1", keys in order; empty for none
};

// The error says what is wrong with the line, without its number.
Result<PywaggleRecord> ParsePywaggleLine(std::string_view line);

struct PywaggleImport {
  Run run;  // kind "import", as stored
  int64_t spans = 0;
  int64_t points = 0;
  int64_t texts = 0;          // values that are no numbers, left out
  int64_t skipped_lines = 0;  // malformed
  // One sentence each, "FILE:LINE: …", for the first few malformed lines.
  std::vector<std::string> problems;
};

// An error if the file cannot be read or has no line that can be used; the
// store is then unchanged.
Result<PywaggleImport> ImportPywaggle(Store& store,
                                      const std::filesystem::path& file,
                                      const std::string& label);

}  // namespace edgewise

#endif  // EDGEWISE_STORE_IMPORT_PYWAGGLE_H_
