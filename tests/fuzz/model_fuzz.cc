// Models of latencies: any text is a model that can be written and read again,
// or an error; the same with the eight fields.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "prediction/model_file.h"
#include "prediction/predict.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)edgewise::ReadCharacteristicsJson(text, "fuzz");
  if (const auto model = edgewise::ReadModel(text, "fuzz")) {
    const auto again =
        edgewise::ReadModel(edgewise::WriteModel(*model), "again");
    if (!again) {
      std::abort();
    }
    for (const auto& prediction : edgewise::RankDevices(
             *model, {"fuzz", edgewise::Characteristics{}}, std::nullopt)) {
      if (!std::isfinite(prediction.ms)) {
        std::abort();
      }
    }
  }
  return 0;
}
