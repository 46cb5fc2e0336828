#include "cards/gpu_needs.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace edgewise {
namespace {

constexpr double kMiB = 1024.0 * 1024.0;

}  // namespace

void FillGpuNeeds(std::span<const Run> runs, Card& card,
                  std::vector<std::string>& warnings) {
  bool used = false;
  std::optional<int64_t> memory_bytes;
  std::optional<double> bytes_per_s;
  for (const Run& run : runs) {
    if (!run.gpu) {
      continue;
    }
    used = used || run.gpu->summary || run.gpu->memory_peak_bytes;
    if (const auto bytes = run.gpu->memory_peak_bytes) {
      memory_bytes = std::max(memory_bytes.value_or(0), *bytes);
    }
    if (const auto moved = run.gpu->most_bytes_per_s) {
      bytes_per_s = std::max(bytes_per_s.value_or(0), *moved);
    }
  }
  if (memory_bytes && *memory_bytes > 0) {
    card.gpu_memory_mb = static_cast<double>(*memory_bytes) / kMiB;
  }
  if (bytes_per_s && *bytes_per_s >= 1e6) {
    card.gpu_bandwidth_gbs = std::round(*bytes_per_s / 1e6) / 1e3;
  }
  if (used && !card.gpu_memory_mb) {
    warnings.emplace_back(
        "gpu_memory_mb is left out: the driver does not tell what the program "
        "alone uses");
  }
  if (used && !card.gpu_bandwidth_gbs) {
    warnings.emplace_back(
        "gpu_bandwidth_gbs is left out: this GPU does not count it (Hopper and "
        "later do), the Run was too short, or others used the GPU too");
  }
}

}  // namespace edgewise
