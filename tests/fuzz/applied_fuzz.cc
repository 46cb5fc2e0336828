// The journal of apply: any text is a record that can be written and read
// again, or an error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "controls/applied_journal.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto record = edgewise::ParseApplied(text)) {
    const std::string written = edgewise::FormatApplied(*record);
    const auto again = edgewise::ParseApplied(written);
    if (!again || edgewise::FormatApplied(*again) != written) {
      std::abort();
    }
  }
  return 0;
}
