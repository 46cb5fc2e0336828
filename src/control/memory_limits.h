// Which apps get a memory limit: those whose goals name one, and while the node
// is short of memory those that matter least.
#ifndef EDGEWISE_CONTROL_MEMORY_LIMITS_H_
#define EDGEWISE_CONTROL_MEMORY_LIMITS_H_

#include <cstdint>
#include <map>
#include <optional>

#include "control/observation.h"

namespace edgewise::control {

// A limit is never below what an app works with and a margin on top.
int64_t LeastLimitBytes(int64_t working_set_bytes);

// Times are CLOCK_MONOTONIC. Not thread-safe.
class MemoryLimits {
 public:
  // The limits that apps are to have now, by id. An app whose working set is
  // not known gets none.
  const std::map<uint64_t, int64_t>& Update(const NodeObservation& node,
                                            int64_t reserve_bytes);
  bool short_of_memory() const { return short_since_ns_.has_value(); }

 private:
  void UpdateShortage(const NodeObservation& node, int64_t reserve_bytes);

  std::map<uint64_t, int64_t> limits_;
  std::optional<int64_t> short_since_ns_;
  int64_t enough_since_ns_ = 0;
};

}  // namespace edgewise::control

#endif  // EDGEWISE_CONTROL_MEMORY_LIMITS_H_
