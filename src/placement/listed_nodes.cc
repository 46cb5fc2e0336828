#include "placement/listed_nodes.h"

#include <algorithm>
#include <set>

#include "base/yaml_reader.h"

namespace edgewise {
namespace {

constexpr size_t kLongestName = 253;

// What Kubernetes takes: lower case, digits, '-' and '.'.
bool IsNodeName(std::string_view name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  };
  return !name.empty() && name.size() <= kLongestName && letter(name.front()) &&
         letter(name.back()) &&
         std::all_of(name.begin(), name.end(),
                     [&](char c) { return letter(c) || c == '-' || c == '.'; });
}

}  // namespace

Result<std::vector<ListedNode>> ReadListedNodes(std::string_view yaml,
                                                const std::string& origin) {
  const auto root = ReadYaml(yaml, origin, "list of nodes");
  if (!root) {
    return root.error();
  }
  YamlReader reader(origin);
  std::vector<ListedNode> nodes;
  std::set<std::string> names;
  const auto take = [&](const YamlNode& item) {
    ListedNode node;
    reader.ReadMap(
        item, "a node",
        {{"name", reader.Text(node.name)},
         {"device", reader.Text(node.device)},
         {"spec", reader.Text(node.spec)},
         {"threads", reader.WithNumber(1, 100000,
                                       [&node](double threads) {
                                         node.threads =
                                             static_cast<int>(threads);
                                       })},
         {"load_percent", reader.Number(node.load_percent, 0, 100)}});
    if (!IsNodeName(node.name)) {
      reader.Refuse(item,
                    "a node needs a name as the cluster has it (kubectl get "
                    "nodes): lower case, digits, '-' and '.'");
    } else if (!names.insert(node.name).second) {
      reader.Refuse(item, "the node " + node.name + " is there twice");
    }
    nodes.push_back(std::move(node));
  };
  reader.ReadMap(*root, "a list of nodes", {{"nodes", reader.Each(take)}});
  if (reader.problem()) {
    return *reader.problem();
  }
  if (nodes.empty()) {
    return Error{ErrorCode::kInvalid,
                 origin +
                     " lists no node: give \"nodes:\" with a name and a "
                     "device or spec each"};
  }
  return nodes;
}

}  // namespace edgewise
