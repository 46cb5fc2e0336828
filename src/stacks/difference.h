// Two profiles against each other: which functions take another share of the
// samples, and both in one tree for a differential flame graph.
#ifndef EDGEWISE_STACKS_DIFFERENCE_H_
#define EDGEWISE_STACKS_DIFFERENCE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stacks/functions.h"
#include "stacks/profile.h"
#include "stats/compare.h"
#include "stats/proportion.h"

namespace edgewise::stacks {

// CPU time in A and in B, of one Run (the mean of several).
struct TimeChange {
  double a_s = 0;
  double b_s = 0;
  stats::Interval interval;  // 95%, of b - a, of this function alone
};

// A share of the samples in A and in B, in percent.
struct ShareChange {
  double a_percent = 0;
  double b_percent = 0;
  double points = 0;  // b - a, in percentage points
  // 95% interval of `points` (Newcombe), of this function alone; nullopt where
  // a number of samples is not known.
  std::optional<stats::Interval> interval;
  // Where both sides were sampled at a known rate.
  std::optional<TimeChange> time;
  // kSlower: more CPU time in B (a larger share, where times are not known);
  // kFaster: less. Given only if it
  // stands at 5% among all functions together (Holm), so it may be
  // kNoDifference though the interval leaves 0 out.
  stats::Verdict verdict = stats::Verdict::kInsufficient;
  std::optional<double> p_value;  // adjusted
};

struct FunctionChange {
  FunctionUse a;  // without intervals; counts are 0 where it did not occur
  FunctionUse b;
  ShareChange self;
  ShareChange total;
};

// By size of the change of self, then of total. Empty if a side has no counts.
std::vector<FunctionChange> CompareFunctions(const StackProfile& a,
                                             const StackProfile& b);

// All samples of several profiles, as one. Notes that are alike are kept once,
// and a rate, unit or event only if all have the same.
StackProfile MergedProfile(std::span<const StackProfile> profiles);

// Both profiles as one tree. Frames are the same node if function, module and
// kind are, whatever line ran.
struct DiffNode {
  int32_t parent = -1;  // before its children; -1: outermost
  std::string name;
  FrameKind kind = FrameKind::kNative;
  int64_t count_a = 0;  // at it and below
  int64_t count_b = 0;
};

struct DiffTree {
  std::vector<DiffNode> nodes;
  int64_t total_a = 0;
  int64_t total_b = 0;
};

// `with_process`: the outermost nodes are processes' command names (as marks).
DiffTree MakeDiffTree(const StackProfile& a, const StackProfile& b,
                      bool with_process);

}  // namespace edgewise::stacks

#endif  // EDGEWISE_STACKS_DIFFERENCE_H_
