// Plans: any text is a plan that can be written and read again, or an error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "scheduling/plan_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto plan = edgewise::ReadPlan(text, "fuzz")) {
    const std::string written = edgewise::WritePlan(*plan);
    const auto again = edgewise::ReadPlan(written, "again");
    if (!again || edgewise::WritePlan(*again) != written) {
      std::abort();
    }
  }
  return 0;
}
