// MemoryTrail: an app's memory over the last ten minutes, and whether it only
// ever grows.
//
// Memory that goes up and down is normal, and so is a start that fills caches.
// Growth is what raises the floor: the least that was held in each fifth of the
// time is more than in the fifth before.
#ifndef EDGEWISE_LIVE_MEMORY_GROWTH_H_
#define EDGEWISE_LIVE_MEMORY_GROWTH_H_

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "stats/trend.h"

namespace edgewise::live {

struct MemoryGrowth {
  stats::Trend bytes_per_s;
  double now_bytes = 0;
  double over_s = 0;
};

// Not thread-safe.
class MemoryTrail {
 public:
  static constexpr int64_t kPointEveryNs = 15 * kNsPerSecond;
  static constexpr size_t kPoints = 40;

  // Kept if the last one is old enough.
  void Add(int64_t now_ns, int64_t bytes);
  void Clear() { points_.clear(); }

  // nullopt: it does not grow, or was not watched for the whole time yet.
  std::optional<MemoryGrowth> Growth() const;

 private:
  struct Point {
    int64_t at_ns = 0;
    int64_t bytes = 0;
  };
  std::vector<Point> points_;  // in order of time
};

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_MEMORY_GROWTH_H_
