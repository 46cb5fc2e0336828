// What the live page draws when it is opened: the last minutes of each metric,
// which the agent remembers for it.
#ifndef EDGEWISE_LIVE_RECENT_VALUES_H_
#define EDGEWISE_LIVE_RECENT_VALUES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"

namespace edgewise::live {

class Registry;

// Values at even distances. Not thread-safe.
class RecentValues {
 public:
  static constexpr size_t kMost = 90;
  static constexpr int64_t kEveryNs = 2 * kNsPerSecond;

  void AddValue(double value);
  // The rate of what is counted since the call before; the first one adds
  // nothing.
  void AddRate(uint64_t count, int64_t now_ns);
  // Oldest first.
  std::vector<double> values() const;

 private:
  std::array<float, kMost> ring_{};
  uint64_t added_ = 0;
  uint64_t last_count_ = 0;
  int64_t last_ns_ = 0;
};

// Of every metric of every app that is alive: of spans and jobs the rate, of
// others the last value. To be called every kEveryNs.
void RememberValues(const Registry& registry, int64_t now_ns);

// {"every_s": 2, "apps": {"<id>": [{"kind": …, "name": …, "values": […]}]}}.
std::string RecentValuesJson(const Registry& registry);

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_RECENT_VALUES_H_
