// Lines of tegrastats, whose format changes by board and release.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "probes/gpu/tegrastats_line.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto stats = edgewise::ParseTegrastats(
      std::string_view(reinterpret_cast<const char*>(data), size));
  if (stats) {
    for (const auto& temperature : stats->temperatures) {
      if (temperature.celsius && *temperature.celsius < -100) {
        std::abort();
      }
    }
    for (const auto& rail : stats->rails) {
      if (rail.milliwatts < 0 || rail.occurrence < 1) {
        std::abort();
      }
    }
  }
  return 0;
}
