// FlameTree: call stacks as a tree of functions, for flame graphs.
//
// Lines within a function do not part stacks here. The tree is bounded: of a
// profile with very many different stacks those with the most samples are kept,
// and what lies below them is counted but not shown.
#ifndef EDGEWISE_REPORT_FLAME_H_
#define EDGEWISE_REPORT_FLAME_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "stacks/profile.h"

namespace edgewise {

// More would be no use to the eye: a screen is some thousand pixels wide.
inline constexpr size_t kMaxFlameNodes = 30'000;

struct FlameFunction {
  std::string name;
  std::string module;  // path; empty if none
  std::string file;    // source; empty if not known
  int first_line = 0;  // 0: not known
  stacks::FrameKind kind = stacks::FrameKind::kNative;
  bool inlined = false;

  bool operator==(const FlameFunction&) const = default;
};

struct FlameNode {
  int32_t parent = -1;  // before its children; -1: outermost
  int32_t function = 0;
};

// What one thread spent in a node itself, and below it in nodes left out.
struct FlameCount {
  int32_t node = 0;  // -1: samples without a frame
  int32_t thread = 0;
  int64_t self = 0;
  int64_t left_out = 0;
};

struct FlameTree {
  std::vector<FlameFunction> functions;
  std::vector<FlameNode> nodes;
  std::vector<stacks::StackThread> threads;
  std::vector<FlameCount> counts;
  int64_t total = 0;
  int64_t nodes_left_out = 0;
};

FlameTree MakeFlameTree(const stacks::StackProfile& profile,
                        size_t max_nodes = kMaxFlameNodes);

// Samples at each node and below it.
std::vector<int64_t> NodeTotals(const FlameTree& tree);

// For the page: texts once, arrays of numbers for the rest.
std::string FlameJson(const stacks::StackProfile& profile);

// The same of two profiles, for a differential flame graph.
std::string DiffFlameJson(const stacks::StackProfile& a,
                          const stacks::StackProfile& b);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_FLAME_H_
