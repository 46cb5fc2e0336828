// Flame graphs as the page wants them: texts once, arrays of numbers.
#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "report/flame.h"
#include "report/function_tables.h"
#include "report/json_writer.h"
#include "stacks/difference.h"

namespace edgewise {
namespace {

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

// A node is drawn if either side keeps it: the larger of its two shares.
std::vector<bool> KeptNodes(const stacks::DiffTree& tree, size_t most) {
  const auto share = [](int64_t count, int64_t total) {
    return total > 0 ? static_cast<double>(count) / static_cast<double>(total)
                     : 0;
  };
  std::vector<double> shares;
  for (const stacks::DiffNode& node : tree.nodes) {
    shares.push_back(std::max(share(node.count_a, tree.total_a),
                              share(node.count_b, tree.total_b)));
  }
  std::vector<size_t> order(tree.nodes.size());
  std::iota(order.begin(), order.end(), 0);
  // No node has a larger share than its parent: what is kept is a tree.
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t x, size_t y) { return shares[x] > shares[y]; });
  std::vector<bool> kept(tree.nodes.size(), false);
  for (size_t i = 0; i < std::min(most, order.size()); ++i) {
    kept[order[i]] = true;
  }
  return kept;
}

}  // namespace

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
      .Add("kind",
           IntArray(tree.functions,
                    [](const auto& f) { return static_cast<int64_t>(f.kind); }))
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
      .AddStrings("notes", CollectionNotes(collection))
      .Add("functions", functions.text())
      .AddStrings("strings", strings.texts())
      .Add("parent",
           IntArray(tree.nodes, [](const auto& n) { return n.parent; }))
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

std::string DiffFlameJson(const stacks::StackProfile& a,
                          const stacks::StackProfile& b) {
  const stacks::DiffTree tree =
      stacks::MakeDiffTree(a, b, /*with_process=*/false);
  const std::vector<bool> kept = KeptNodes(tree, kMaxFlameNodes);
  Strings strings;
  std::map<std::pair<int64_t, int64_t>, int64_t> function_ids;
  std::vector<int64_t> places(tree.nodes.size(), -1);
  int64_t next_place = 0;
  JsonArray names;
  JsonArray kinds;
  JsonArray parents;
  JsonArray functions;
  JsonArray counts_a;
  JsonArray counts_b;
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    if (!kept[i]) {
      continue;
    }
    const stacks::DiffNode& node = tree.nodes[i];
    const std::pair key{strings.IdOf(node.name),
                        static_cast<int64_t>(node.kind)};
    const auto [function, is_new] = function_ids.try_emplace(
        key, static_cast<int64_t>(function_ids.size()));
    if (is_new) {
      names.AddInt(key.first);
      kinds.AddInt(key.second);
    }
    places[i] = next_place++;
    parents.AddInt(node.parent < 0 ? -1
                                   : places[static_cast<size_t>(node.parent)]);
    functions.AddInt(function->second);
    counts_a.AddInt(node.count_a);
    counts_b.AddInt(node.count_b);
  }
  return JsonObject()
      .AddInt("total_a", tree.total_a)
      .AddInt("total_b", tree.total_b)
      .AddInt("left_out", std::count(kept.begin(), kept.end(), false))
      .AddStrings("strings", strings.texts())
      .Add("functions", JsonObject()
                            .Add("name", names.text())
                            .Add("kind", kinds.text())
                            .text())
      .Add("parent", parents.text())
      .Add("function", functions.text())
      .Add("count_a", counts_a.text())
      .Add("count_b", counts_b.text())
      .text();
}

}  // namespace edgewise
