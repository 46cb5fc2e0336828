#include "report/flame.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "report/json_text.h"

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

// Texts by number; 0 is the empty one.
class Strings {
 public:
  int64_t IdOf(const std::string& text) {
    const auto [found, is_new] =
        ids_.try_emplace(text, static_cast<int64_t>(texts_.size()));
    if (is_new) {
      texts_.push_back(text);
    }
    return found->second;
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<std::string> texts_ = {""};
  std::unordered_map<std::string, int64_t> ids_ = {{"", 0}};
};

template <typename Element, typename Read>
std::string IntArray(const std::vector<Element>& elements, Read read) {
  JsonArray array;
  for (const Element& element : elements) {
    array.AddInt(read(element));
  }
  return array.text();
}

}  // namespace

FlameTree MakeFlameTree(const stacks::StackProfile& profile,
                        size_t max_nodes) {
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

std::string FlameJson(const stacks::StackProfile& profile) {
  const FlameTree tree = MakeFlameTree(profile);
  Strings strings;
  const auto text_ids = [&](std::string FlameFunction::*field) {
    return IntArray(tree.functions, [&](const FlameFunction& function) {
      return strings.IdOf(function.*field);
    });
  };
  JsonObject functions;
  functions.Add("name", text_ids(&FlameFunction::name))
      .Add("module", text_ids(&FlameFunction::module))
      .Add("file", text_ids(&FlameFunction::file))
      .Add("line",
           IntArray(tree.functions, [](const auto& f) { return f.first_line; }))
      .Add("kind", IntArray(tree.functions,
                            [](const auto& f) {
                              return static_cast<int64_t>(f.kind);
                            }))
      .Add("inlined", IntArray(tree.functions, [](const auto& f) {
             return f.inlined ? 1 : 0;
           }));
  JsonArray threads;
  for (const stacks::StackThread& thread : tree.threads) {
    threads.Add(JsonObject()
                    .AddInt("pid", thread.pid)
                    .AddInt("tid", thread.tid)
                    .AddString("process", thread.process)
                    .AddString("thread", thread.thread)
                    .text());
  }
  const stacks::Collection& collection = profile.collection;
  return JsonObject()
      .AddString("unit", collection.unit)
      .AddString("event", collection.event)
      .AddNumber("rate_hz", collection.rate_hz)
      .AddInt("total", tree.total)
      .AddInt("left_out", tree.nodes_left_out)
      .AddStrings("notes", collection.notes)
      .Add("functions", functions.text())
      .AddStrings("strings", strings.texts())
      .Add("parent", IntArray(tree.nodes, [](const auto& n) { return n.parent; }))
      .Add("function",
           IntArray(tree.nodes, [](const auto& n) { return n.function; }))
      .Add("threads", threads.text())
      .Add("count_node",
           IntArray(tree.counts, [](const auto& c) { return c.node; }))
      .Add("count_thread",
           IntArray(tree.counts, [](const auto& c) { return c.thread; }))
      .Add("count_self",
           IntArray(tree.counts, [](const auto& c) { return c.self; }))
      .Add("count_left_out",
           IntArray(tree.counts, [](const auto& c) { return c.left_out; }))
      .text();
}

}  // namespace edgewise
