#include "report/flame.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace edgewise {
namespace {

uint64_t PairKey(int32_t first, int32_t second) {
  return (uint64_t{static_cast<uint32_t>(first)} << 32) |
         static_cast<uint32_t>(second);
}

// Each frame's function, and the functions.
std::vector<int32_t> FunctionsOf(const stacks::StackProfile& profile,
                                 std::vector<FlameFunction>* functions) {
  std::map<std::tuple<std::string, std::string, std::string, int, bool>,
           int32_t>
      ids;
  std::vector<int32_t> of_frame;
  for (const stacks::Frame& frame : profile.frames) {
    const auto [found, is_new] =
        ids.try_emplace({frame.function, frame.module, frame.file,
                         static_cast<int>(frame.kind), frame.inlined},
                        static_cast<int32_t>(functions->size()));
    if (is_new) {
      functions->push_back({frame.function, frame.module, frame.file,
                            frame.first_line, frame.kind, frame.inlined});
    }
    of_frame.push_back(found->second);
  }
  return of_frame;
}

// Nodes of the profile with the same functions on the way to them become one.
std::vector<int32_t> MergeNodes(const stacks::StackProfile& profile,
                                const std::vector<int32_t>& function_of,
                                std::vector<FlameNode>* nodes) {
  std::unordered_map<uint64_t, int32_t> ids;
  std::vector<int32_t> merged;
  merged.reserve(profile.nodes.size());
  for (const stacks::StackNode& node : profile.nodes) {
    const int32_t parent =
        node.parent < 0 ? -1 : merged[static_cast<size_t>(node.parent)];
    const int32_t function = function_of[static_cast<size_t>(node.frame)];
    const auto [found, is_new] = ids.try_emplace(
        PairKey(parent, function), static_cast<int32_t>(nodes->size()));
    if (is_new) {
      nodes->push_back({parent, function});
    }
    merged.push_back(found->second);
  }
  return merged;
}

std::vector<int64_t> Totals(const std::vector<FlameNode>& nodes,
                            const std::vector<FlameCount>& counts) {
  std::vector<int64_t> totals(nodes.size(), 0);
  for (const FlameCount& count : counts) {
    if (count.node >= 0) {
      totals[static_cast<size_t>(count.node)] += count.self + count.left_out;
    }
  }
  for (size_t i = nodes.size(); i-- > 0;) {
    if (nodes[i].parent >= 0) {
      totals[static_cast<size_t>(nodes[i].parent)] += totals[i];
    }
  }
  return totals;
}

// Leaves the nodes with the fewest samples out. A node has no more than its
// parent, so that what is kept is a tree.
void Prune(FlameTree* tree, size_t max_nodes) {
  if (tree->nodes.size() <= max_nodes) {
    return;
  }
  const std::vector<int64_t> totals = NodeTotals(*tree);
  std::vector<int32_t> order(tree->nodes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return totals[static_cast<size_t>(a)] > totals[static_cast<size_t>(b)];
  });
  std::vector<bool> kept(tree->nodes.size(), false);
  for (size_t i = 0; i < max_nodes; ++i) {
    kept[static_cast<size_t>(order[i])] = true;
  }
  // Where each node's samples go: its own new place, or that of the nearest
  // kept caller.
  std::vector<int32_t> place(tree->nodes.size(), -1);
  std::vector<FlameNode> nodes;
  for (size_t i = 0; i < tree->nodes.size(); ++i) {
    const FlameNode& node = tree->nodes[i];
    const int32_t above =
        node.parent < 0 ? -1 : place[static_cast<size_t>(node.parent)];
    place[i] = above;
    if (kept[i]) {
      place[i] = static_cast<int32_t>(nodes.size());
      nodes.push_back({above, node.function});
    }
  }
  for (FlameCount& count : tree->counts) {
    if (count.node >= 0 && !kept[static_cast<size_t>(count.node)]) {
      count.left_out += std::exchange(count.self, 0);
    }
    count.node = count.node < 0 ? -1 : place[static_cast<size_t>(count.node)];
  }
  tree->nodes_left_out =
      static_cast<int64_t>(tree->nodes.size() - nodes.size());
  tree->nodes = std::move(nodes);
}

// One count for each node and thread.
void MergeCounts(std::vector<FlameCount>* counts) {
  std::sort(counts->begin(), counts->end(),
            [](const FlameCount& a, const FlameCount& b) {
              return std::tie(a.node, a.thread) < std::tie(b.node, b.thread);
            });
  std::vector<FlameCount> merged;
  for (const FlameCount& count : *counts) {
    if (!merged.empty() && merged.back().node == count.node &&
        merged.back().thread == count.thread) {
      merged.back().self += count.self;
      merged.back().left_out += count.left_out;
    } else {
      merged.push_back(count);
    }
  }
  *counts = std::move(merged);
}

}  // namespace

FlameTree MakeFlameTree(const stacks::StackProfile& profile, size_t max_nodes) {
  FlameTree tree;
  tree.threads = profile.threads;
  tree.total = profile.total();
  const std::vector<int32_t> merged =
      MergeNodes(profile, FunctionsOf(profile, &tree.functions), &tree.nodes);
  for (const stacks::StackCount& count : profile.counts) {
    const int32_t node =
        count.node < 0 ? -1 : merged[static_cast<size_t>(count.node)];
    tree.counts.push_back({node, count.thread, count.count, 0});
  }
  Prune(&tree, max_nodes);
  MergeCounts(&tree.counts);
  return tree;
}

std::vector<int64_t> NodeTotals(const FlameTree& tree) {
  return Totals(tree.nodes, tree.counts);
}

}  // namespace edgewise
