// Lines of a pywaggle log and documents of Runs: any text is understood or
// refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "store/import_pywaggle.h"
#include "store/iso_time.h"
#include "store/run_json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto record = edgewise::ParsePywaggleLine(text);
  if (record && record->duration_ns &&
      *record->duration_ns > record->timestamp_utc_ns) {
    std::abort();
  }
  (void)edgewise::ParseIsoUtcNs(text);
  if (const auto run = edgewise::RunFromJson(text)) {
    if (!edgewise::RunFromJson(edgewise::RunToJson(*run))) {
      std::abort();
    }
  }
  return 0;
}
