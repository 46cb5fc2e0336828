// HeatLimit: how much of the node may be used while it is too hot.
#ifndef EDGEWISE_CONTROL_HEAT_H_
#define EDGEWISE_CONTROL_HEAT_H_

#include <cstdint>
#include <optional>

namespace edgewise::control {

// Takes a tenth away every few seconds above the limit, and gives it back
// slowly well below it. Times are CLOCK_MONOTONIC. Not thread-safe.
class HeatLimit {
 public:
  // Whether the share has changed. Without a temperature nothing does.
  bool Update(std::optional<double> limit_c, std::optional<double> hottest_c,
              int64_t now_ns);
  double share() const { return share_; }

 private:
  double share_ = 1;
  int64_t next_down_ns_ = 0;
  int64_t next_up_ns_ = 0;
};

}  // namespace edgewise::control

#endif  // EDGEWISE_CONTROL_HEAT_H_
