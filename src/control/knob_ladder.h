// KnobLadder: the knobs of an app as one ladder of levels, from the best work
// to the cheapest, and what each step has been seen to save.
#ifndef EDGEWISE_CONTROL_KNOB_LADDER_H_
#define EDGEWISE_CONTROL_KNOB_LADDER_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "control/observation.h"

namespace edgewise::control {

// Times are CLOCK_MONOTONIC. Not thread-safe.
class KnobLadder {
 public:
  // What a step needs to show in what is measured.
  static constexpr int64_t kSettleNs = 4 * kNsPerSecond;

  // Of the knobs that the app has and its goals name, values within the range
  // that the app has declared. The first knob is turned first. Keeps the level
  // if it is the same ladder.
  void SetKnobs(const std::vector<KnobChoice>& choices,
                const std::vector<KnobState>& declared);

  size_t levels() const { return values_.size(); }  // at least 1
  size_t level() const { return level_; }
  // The values of all knobs at a level.
  const std::vector<std::pair<std::string, double>>& ValuesAt(
      size_t level) const {
    return values_[level];
  }

  // What each level takes if the present one takes `cores`.
  std::vector<double> CoresAtLevels(double cores) const;
  // The best level that may be tried now. Going back up waits; longer each
  // time that it had to be taken back.
  size_t BestLevelNow(int64_t now_ns) const;

  void Turn(size_t level, double cores_before, int64_t now_ns);
  // Whether what is measured is still of the level before.
  bool IsSettling(int64_t now_ns) const {
    return turned_ns_ != 0 && now_ns - turned_ns_ < kSettleNs;
  }
  // What the present level takes, once it is measured: learns from it.
  void Learn(double cores, int64_t now_ns);

 private:
  static constexpr int64_t kFirstWaitNs = 20 * kNsPerSecond;
  static constexpr int64_t kLongestWaitNs = 640 * kNsPerSecond;

  std::vector<std::vector<std::pair<std::string, double>>> values_ = {{}};
  std::vector<double> step_factors_;  // from level i to i + 1
  size_t level_ = 0;
  size_t level_before_ = 0;
  double cores_before_ = 0;
  bool to_learn_ = false;
  int64_t turned_ns_ = 0;
  int64_t returned_ns_ = 0;  // last went to a better level
  int64_t wait_ns_ = kFirstWaitNs;
};

}  // namespace edgewise::control

#endif  // EDGEWISE_CONTROL_KNOB_LADDER_H_
