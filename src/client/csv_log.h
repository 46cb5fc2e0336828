// Profile logs: the lab's CSV, one row per span (docs/formats/profile-log.md).
//
// Each row is one append, so that threads and processes can share a file.
// Allocates nothing.
#ifndef EDGEWISE_CLIENT_CSV_LOG_H_
#define EDGEWISE_CLIENT_CSV_LOG_H_

#include <cstddef>
#include <cstdint>

namespace edgewise::client {

struct CsvRow {
  const char* label;
  uint64_t wall_ns;
  uint64_t cpu_ns;  // of the whole process; UINT64_MAX if unknown
  uint64_t timestamp_ns;
  const char* meta;  // lines "key=value"; may be null if meta_bytes is 0
  size_t meta_bytes;
};

// Appends the row to `path`, or to the first of "path-2", "path-3", ... whose
// header fits its metadata keys. 0, or an errno value; E2BIG for a row with
// more than 32 keys or 8 KiB.
int AppendCsvRow(const char* path, const CsvRow& row);

}  // namespace edgewise::client

#endif  // EDGEWISE_CLIENT_CSV_LOG_H_
