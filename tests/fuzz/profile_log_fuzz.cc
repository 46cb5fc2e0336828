// CSV logs of any origin must neither crash nor lose count of their rows.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "project/profile_log.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto log = edgewise::ReadProfileLog(
      std::string_view(reinterpret_cast<const char*>(data), size));
  if (!log) {
    return 0;
  }
  int64_t counted = log->bad_rows + log->unnamed;
  for (const edgewise::LoggedBlock& block : log->blocks) {
    counted += static_cast<int64_t>(block.wall_ms.size());
  }
  if (counted != log->rows) {
    std::abort();
  }
  return 0;
}
