#include "stacks/function_table.h"

#include <unordered_map>

namespace edgewise::stacks {
namespace {

std::string KeyOf(const std::string& name, const std::string& module,
                  const std::string& file, FrameKind kind) {
  std::string key = name;
  key += '\0';
  key += kind == FrameKind::kPython ? file : module;
  key += '\0';
  key += static_cast<char>('a' + static_cast<int>(kind));
  return key;
}

FunctionTable Group(const std::vector<Frame>& frames) {
  FunctionTable table;
  std::unordered_map<std::string, int32_t> ids;
  for (const Frame& frame : frames) {
    const auto [place, is_new] = ids.try_emplace(
        KeyOf(frame.function, frame.module, frame.file, frame.kind),
        static_cast<int32_t>(table.functions.size()));
    if (is_new) {
      FunctionUse use;
      use.name = frame.function;
      use.module = frame.module;
      use.kind = frame.kind;
      use.named = frame.named;
      table.functions.push_back(std::move(use));
    }
    FunctionUse& use = table.functions[static_cast<size_t>(place->second)];
    if (use.file.empty()) {
      use.file = frame.file;
    }
    if (use.first_line == 0 && use.file == frame.file) {
      use.first_line = frame.first_line;
    }
    table.of_frame.push_back(place->second);
  }
  return table;
}

// The outermost nodes count as children of -1.
size_t Slot(int32_t node) { return static_cast<size_t>(int64_t{node} + 1); }

// Children of every node as one list: those of a node are
// list[first[Slot(node)]] to list[first[Slot(node) + 1] - 1].
struct Children {
  std::vector<size_t> first;
  std::vector<int32_t> list;
};

Children ChildrenOf(const std::vector<StackNode>& nodes) {
  Children children;
  children.first.assign(nodes.size() + 2, 0);
  for (const StackNode& node : nodes) {
    ++children.first[Slot(node.parent) + 1];
  }
  for (size_t i = 1; i < children.first.size(); ++i) {
    children.first[i] += children.first[i - 1];
  }
  children.list.resize(nodes.size());
  std::vector<size_t> next = children.first;
  for (size_t i = 0; i < nodes.size(); ++i) {
    children.list[next[Slot(nodes[i].parent)]++] = static_cast<int32_t>(i);
  }
  return children;
}

// Adds what was counted at a node and below to its function, unless a caller
// of it is the same function. Walks the tree once; stacks may be deep.
void AddTotals(const StackProfile& profile, const std::vector<int64_t>& below,
               FunctionTable* table) {
  const Children children = ChildrenOf(profile.nodes);
  struct Visit {
    int32_t node;
    size_t next;  // child, in children.list
  };
  std::vector<Visit> path{{-1, children.first[0]}};
  std::vector<int32_t> depth_of(table->functions.size(), 0);
  const auto function_of = [&](int32_t node) {
    const auto frame =
        static_cast<size_t>(profile.nodes[static_cast<size_t>(node)].frame);
    return static_cast<size_t>(table->of_frame[frame]);
  };
  while (!path.empty()) {
    Visit& visit = path.back();
    if (visit.next < children.first[Slot(visit.node) + 1]) {
      const int32_t child = children.list[visit.next++];
      const size_t function = function_of(child);
      if (depth_of[function]++ == 0) {
        table->functions[function].total += below[static_cast<size_t>(child)];
      }
      path.push_back({child, children.first[Slot(child)]});
      continue;
    }
    if (visit.node >= 0) {
      --depth_of[function_of(visit.node)];
    }
    path.pop_back();
  }
}

}  // namespace

std::string FunctionKey(const FunctionUse& function) {
  const auto base_name = [](const std::string& path) {
    return path.substr(path.rfind('/') + 1);
  };
  std::string module = base_name(function.module);
  if (module.find(".so") == std::string::npos && function.named &&
      function.kind == FrameKind::kNative) {
    module.clear();
  }
  return KeyOf(function.name, module, base_name(function.file), function.kind);
}

FunctionTable CountFunctions(const StackProfile& profile) {
  FunctionTable table = Group(profile.frames);
  std::vector<int64_t> below(profile.nodes.size(), 0);
  for (const StackCount& count : profile.counts) {
    if (count.node >= 0) {
      const auto node = static_cast<size_t>(count.node);
      below[node] += count.count;
      const auto frame = static_cast<size_t>(profile.nodes[node].frame);
      table.functions[static_cast<size_t>(table.of_frame[frame])].self +=
          count.count;
    }
  }
  for (size_t i = profile.nodes.size(); i-- > 0;) {
    if (profile.nodes[i].parent >= 0) {
      below[static_cast<size_t>(profile.nodes[i].parent)] += below[i];
    }
  }
  AddTotals(profile, below, &table);
  return table;
}

}  // namespace edgewise::stacks
