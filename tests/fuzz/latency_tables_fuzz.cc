// Tables of layers and latencies: any text is data, or an error. The first
// line with "%%" parts two tables.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "prediction/cost_terms.h"
#include "prediction/data_tables.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const size_t cut = text.find("%%\n");
  std::vector<edgewise::NamedText> tables = {{"a", text.substr(0, cut)}};
  if (cut != std::string::npos) {
    tables.push_back({"b", text.substr(cut + 3)});
  }
  if (const auto read = edgewise::ReadLatencyData(tables)) {
    for (const auto& network : read->networks) {
      for (const double cost : edgewise::CostsOf(network)) {
        if (!(cost >= 0)) {
          std::abort();
        }
      }
    }
  }
  return 0;
}
