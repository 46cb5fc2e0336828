// Target: what an app must achieve, as a user writes it.
//
//   fps>=10            rate(frame)>=10       items a second
//   p95(frame)<=80ms   mean(frame)<=40ms     times; p50 p90 p95 p99 p99.9 max
//   misses(frame)<=1%  wall<=30s             deadlines; the whole program
#ifndef EDGEWISE_EXPERIMENTS_TARGET_H_
#define EDGEWISE_EXPERIMENTS_TARGET_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace edgewise {

enum class TargetKind { kRate, kQuantile, kMean, kMax, kMisses, kWall };

struct Target {
  TargetKind kind = TargetKind::kRate;
  // Empty: the span in which most of the time is spent. None for kWall.
  std::string span;
  double quantile = 0;  // of kQuantile: 0.95
  // Items a second (at least), nanoseconds (at most), share of jobs (at most).
  double limit = 0;
  std::string text;  // as written, without blanks: "fps>=10"
};

// One or more targets joined by "and". The error says what can be written.
Result<std::vector<Target>> ParseTargets(std::string_view text);

// A figure of this target as people read it: "9.6 fps", "81.2 ms", "1.2%".
std::string FigureText(const Target& target, double figure);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_TARGET_H_
