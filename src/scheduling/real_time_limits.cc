#include "scheduling/real_time_limits.h"

#include "base/text.h"

namespace edgewise::scheduling {

std::optional<Throttling> ReadThrottling(const std::filesystem::path& root) {
  constexpr int64_t kMostUs = int64_t{1} << 40;
  const auto read_us = [&root](const char* name) {
    const auto text = TryReadFile(root / "proc/sys/kernel" / name);
    return text ? ParseInt(Trim(*text)) : std::nullopt;
  };
  const auto runtime_us = read_us("sched_rt_runtime_us");
  const auto period_us = read_us("sched_rt_period_us");
  if (runtime_us && *runtime_us < 0) return std::nullopt;
  if (!runtime_us || !period_us || *runtime_us == 0 ||
      *runtime_us > *period_us || *period_us > kMostUs) {
    return Throttling{};
  }
  if (*runtime_us == *period_us) return std::nullopt;
  return Throttling{*runtime_us * 1000, *period_us * 1000};
}

}  // namespace edgewise::scheduling
