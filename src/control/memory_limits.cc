#include "control/memory_limits.h"

#include <algorithm>

#include "base/clock.h"

namespace edgewise::control {
namespace {

constexpr int64_t kLeastMarginBytes = int64_t{16} << 20;
constexpr double kMargin = 0.2;
// A limit stays unless another one differs by more than that.
constexpr double kWorthMoving = 0.1;
constexpr double kEnough = 1.25;
constexpr int64_t kLiftAfterNs = 30 * kNsPerSecond;

bool IsExpendable(const AppObservation& app,
                  const std::vector<AppObservation>& all) {
  if (!app.goal.goal) {
    return true;
  }
  // Where every app has a goal, those with the least weight.
  return std::all_of(all.begin(), all.end(), [&](const AppObservation& other) {
    return other.goal.goal && other.goal.weight >= app.goal.weight;
  });
}

}  // namespace

int64_t LeastLimitBytes(int64_t working_set_bytes) {
  const auto share =
      static_cast<int64_t>(static_cast<double>(working_set_bytes) * kMargin);
  return working_set_bytes + std::max(kLeastMarginBytes, share);
}

void MemoryLimits::UpdateShortage(const NodeObservation& node,
                                  int64_t reserve_bytes) {
  if (!node.available_memory_bytes || reserve_bytes == 0) {
    return;
  }
  const auto available = static_cast<double>(*node.available_memory_bytes);
  const auto reserve = static_cast<double>(reserve_bytes);
  if (available < reserve) {
    short_since_ns_ = short_since_ns_.value_or(node.now_ns);
    enough_since_ns_ = 0;
  } else if (available < kEnough * reserve) {
    enough_since_ns_ = 0;
  } else if (short_since_ns_) {
    enough_since_ns_ = enough_since_ns_ == 0 ? node.now_ns : enough_since_ns_;
    if (node.now_ns - enough_since_ns_ >= kLiftAfterNs) {
      short_since_ns_.reset();
    }
  }
}

const std::map<uint64_t, int64_t>& MemoryLimits::Update(
    const NodeObservation& node, int64_t reserve_bytes) {
  UpdateShortage(node, reserve_bytes);
  std::map<uint64_t, int64_t> limits;
  for (const AppObservation& app : node.apps) {
    if (!app.working_set_bytes || !app.only_observed.empty()) {
      continue;
    }
    const int64_t least = std::max(LeastLimitBytes(*app.working_set_bytes),
                                   app.goal.min_memory_bytes.value_or(0));
    std::optional<int64_t> wanted;
    if (app.goal.max_memory_bytes) {
      wanted = std::max(*app.goal.max_memory_bytes, least);
    }
    if (short_since_ns_ && IsExpendable(app, node.apps)) {
      wanted = least;
    }
    if (!wanted) {
      continue;
    }
    const auto before = limits_.find(app.id);
    const bool stays =
        before != limits_.end() && before->second >= *app.working_set_bytes &&
        std::abs(static_cast<double>(before->second - *wanted)) <=
            kWorthMoving * static_cast<double>(*wanted);
    limits[app.id] = stays ? before->second : *wanted;
  }
  limits_ = std::move(limits);
  return limits_;
}

}  // namespace edgewise::control
