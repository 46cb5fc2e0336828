// Cards: any text is a card that can be written and read again, or an error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "cards/card.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto card = edgewise::ReadCard(text, "fuzz");
  if (card && card->others.empty()) {
    const auto again = edgewise::ReadCard(edgewise::WriteCard(*card), "again");
    if (!again || again->name != card->name) {
      std::abort();
    }
  }
  return 0;
}
