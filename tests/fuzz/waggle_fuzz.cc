// Whatever a client of the Waggle socket sends, however it is cut.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "live/waggle_message.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace edgewise::live;
  if (size == 0) {
    return 0;
  }
  const std::string_view stream(reinterpret_cast<const char*>(data) + 1,
                                size - 1);
  // The first byte says how long the pieces are.
  const size_t piece = data[0] % 64 + 1;
  WaggleFrames frames;
  for (size_t at = 0; at < stream.size(); at += piece) {
    const bool fits = frames.Take(stream.substr(at, piece));
    while (const auto message = frames.Next()) {
      const auto values = ParseWaggleMessage(*message);
      for (size_t i = 0; values && i < values->size(); ++i) {
        const WaggleValue& value = (*values)[i];
        if (value.name.empty() || value.name.size() > 63 ||
            !std::isfinite(value.value)) {
          std::abort();
        }
      }
    }
    if (!fits) {
      break;
    }
  }
  return 0;
}
