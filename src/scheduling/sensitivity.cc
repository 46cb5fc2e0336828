#include "scheduling/sensitivity.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "scheduling/checked.h"

namespace edgewise::scheduling {
namespace {

// The largest x in [low, high) that holds, given that low does and high does
// not.
Result<int64_t> LastThatHolds(
    int64_t low, int64_t high,
    const std::function<Result<bool>(int64_t)>& holds) {
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    Result<bool> held = holds(middle);
    if (!held.ok()) return held.error();
    (*held ? low : high) = middle;
  }
  return low;
}

}  // namespace

Result<std::optional<int64_t>> LargestScalePermille(std::span<const Task> tasks,
                                                    const CoreTest& test) {
  if (Result<void> valid = CheckTimes(tasks); !valid.ok()) {
    return valid.error();
  }
  if (tasks.empty()) return std::optional<int64_t>();
  // At this factor some task alone exceeds its period.
  Int128 too_much = kLongestNs;
  for (const Task& task : tasks) {
    too_much =
        std::min(too_much, Int128{1000} * task.period_ns / task.wcet_ns + 1);
  }
  std::vector<Task> scaled(tasks.begin(), tasks.end());
  const auto holds = [&](int64_t permille) -> Result<bool> {
    for (size_t i = 0; i < scaled.size(); ++i) {
      const Int128 longer = (Int128{tasks[i].wcet_ns} * permille + 999) / 1000;
      if (longer > kLongestNs) return false;
      scaled[i].wcet_ns = static_cast<int64_t>(longer);
    }
    return test(scaled);
  };
  Result<bool> least = holds(1);
  if (!least.ok()) return least.error();
  if (!*least) return std::optional<int64_t>();
  const Result<int64_t> largest =
      LastThatHolds(1, static_cast<int64_t>(too_much), holds);
  if (!largest.ok()) return largest.error();
  return std::optional(*largest);
}

Result<std::optional<int64_t>> SlackNs(std::span<const Task> tasks,
                                       size_t index, const CoreTest& test) {
  if (Result<void> valid = CheckTimes(tasks); !valid.ok()) {
    return valid.error();
  }
  std::vector<Task> changed(tasks.begin(), tasks.end());
  const auto holds = [&](int64_t longer_ns) -> Result<bool> {
    changed[index].wcet_ns = tasks[index].wcet_ns + longer_ns;
    return test(changed);
  };
  Result<bool> now = holds(0);
  if (!now.ok()) return now.error();
  if (!*now) return std::optional<int64_t>();
  const Result<int64_t> slack_ns = LastThatHolds(
      0, tasks[index].period_ns - tasks[index].wcet_ns + 1, holds);
  if (!slack_ns.ok()) return slack_ns.error();
  return std::optional(*slack_ns);
}

}  // namespace edgewise::scheduling
