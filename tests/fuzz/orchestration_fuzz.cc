// Requests, servers, pressures and placements that users write.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "orchestration/instance_files.h"
#include "orchestration/placement_file.h"
#include "orchestration/pressure_model.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace orc = edgewise::orchestration;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto requests = orc::ReadRequests(text, "r.yaml")) {
    for (const orc::Request& request : *requests) {
      if (!(request.rate_per_s > 0) || request.pay_micros < 0 ||
          request.replicas < 1) {
        std::abort();
      }
    }
  }
  (void)orc::ReadServers(text, "s.yaml");
  (void)orc::ReadPlacement(text, "p.yaml", {});
  if (const auto figures = orc::ReadPressures(text, "p.yaml")) {
    const orc::PressureModel model(*figures);
    const int rank = figures->ranks.front().rank;
    const auto low = model.Predict({0, 1, 1}, rank, 0.1, 0.95, 0.9);
    const auto high = model.Predict({0, 1, 1}, rank, 0.2, 0.95, 0.9);
    if (!low && high) {
      std::abort();
    }
    if (low && high && high->high_ns < low->high_ns) {
      std::abort();
    }
  }
  return 0;
}
