// Goals: any text is a file of goals within bounds, or an error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "control/goals.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace edgewise::control;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto goals = ReadGoals(text, "fuzz");
  if (!goals) {
    if (goals.error().message.empty()) {
      std::abort();
    }
    return 0;
  }
  for (const auto& [name, app] : goals->apps) {
    if (name.empty() || !(app.weight > 0) ||
        (app.goal && !(app.goal->bound > 0)) ||
        (app.min_cpu_cores && app.max_cpu_cores &&
         *app.min_cpu_cores > *app.max_cpu_cores)) {
      std::abort();
    }
  }
  return 0;
}
