// Task files of rt-app: any text is tasks that can be planned, or an error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "planning/rtapp.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<std::string> notes;
  if (const auto wishes = edgewise::ReadRtApp(text, "fuzz", &notes)) {
    for (const auto& wish : *wishes) {
      if (wish.task.wcet_ns <= 0 || wish.task.period_ns <= 0 ||
          wish.task.deadline_ns <= 0) {
        std::abort();
      }
    }
  }
  return 0;
}
