// Impairments as people write them: any text is one that is written and read
// again the same, or an error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "impair/impairment.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto read = edgewise::ParseImpairment(text)) {
    const auto again =
        edgewise::ParseImpairment(edgewise::FormatImpairment(*read));
    // A share of loss may lose its last digit on the way.
    if (!again || again->delay_ns != read->delay_ns ||
        again->rate_bits_per_s != read->rate_bits_per_s ||
        again->disconnect_every_ns != read->disconnect_every_ns ||
        again->disconnect_for_ns != read->disconnect_for_ns || read->loss < 0 ||
        read->loss > 0.5 || read->jitter_ns > read->delay_ns) {
      std::abort();
    }
  }
  return 0;
}
