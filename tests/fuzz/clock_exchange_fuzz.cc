// Messages between clocks: any text is a message that can be written and read
// again, or an error; and whatever times it has, an estimate does not break.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "clocks/exchange_message.h"
#include "clocks/offset.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace edgewise::clocks;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto question = ParseQuestion(text)) {
    const auto again = ParseQuestion(FormatQuestion(*question));
    if (!again || !(*again == *question)) {
      std::abort();
    }
  }
  if (const auto answer = ParseAnswer(text)) {
    const auto again = ParseAnswer(FormatAnswer(*answer));
    if (!again || !(*again == *answer)) {
      std::abort();
    }
    const std::vector<Exchange> exchanges{
        answer->Received(answer->question.t0_ns + 1'000'000),
        answer->Received(answer->t2_ns),
        {0, 0, 0, 1}};
    if (const auto estimate = Estimate(exchanges)) {
      if (!(estimate->At(answer->question.t0_ns).bound_ns >= 0) ||
          estimate->ToLocal(answer->t1_ns).bound_ns < 0) {
        std::abort();
      }
    }
  }
  return 0;
}
