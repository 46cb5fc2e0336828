#include "server/extender_args.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>

namespace edgewise {
namespace {

using Json = nlohmann::json;

constexpr int kDeepest = 60;
constexpr size_t kMostNodes = 10'000;

Problem Wrong(const char* field, const std::string& what) {
  return {400, "invalid_field", field, what};
}

bool IsSame(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

// Null where it is missing or null.
const Json* Member(const Json& object, std::string_view name) {
  if (!object.is_object()) {
    return nullptr;
  }
  for (const auto& [key, value] : object.items()) {
    if (IsSame(key, name)) {
      return value.is_null() ? nullptr : &value;
    }
  }
  return nullptr;
}

std::string TextAt(const Json& object, std::string_view name) {
  const Json* const member = Member(object, name);
  return member != nullptr && member->is_string() ? member->get<std::string>()
                                                  : std::string();
}

void TakeWords(const Json& metadata, std::string_view name,
               std::map<std::string, std::string>& words) {
  if (const Json* const map = Member(metadata, name);
      map != nullptr && map->is_object()) {
    for (const auto& [key, value] : map->items()) {
      if (value.is_string()) {
        words[key] = value.get<std::string>();
      }
    }
  }
}

std::optional<Problem> TakePod(const Json& root, ExtenderArgs& args) {
  const Json* const pod = Member(root, "pod");
  const Json* const metadata =
      pod == nullptr ? nullptr : Member(*pod, "metadata");
  if (metadata == nullptr || TextAt(*metadata, "name").empty()) {
    return Wrong("Pod", "\"Pod\" with \"metadata\" and its name is missing");
  }
  const std::string space = TextAt(*metadata, "namespace");
  args.pod =
      (space.empty() ? "default" : space) + "/" + TextAt(*metadata, "name");
  TakeWords(*metadata, "annotations", args.annotations);
  return std::nullopt;
}

std::optional<Problem> TakeNodes(const Json& root, ExtenderArgs& args) {
  if (const Json* const names = Member(root, "nodenames")) {
    args.names_only = true;
    for (const Json& name : *names) {
      if (!names->is_array() || !name.is_string()) {
        return Wrong("NodeNames", "\"NodeNames\" is no list of names");
      }
      args.nodes.push_back(name.get<std::string>());
    }
  } else if (const Json* const list = Member(root, "nodes")) {
    const Json* const items = Member(*list, "items");
    if (items != nullptr && !items->is_array()) {
      return Wrong("Nodes", "\"Nodes\" is no NodeList: it has no items");
    }
    for (const Json& node : items == nullptr ? Json::array() : *items) {
      const Json* const metadata = Member(node, "metadata");
      if (metadata == nullptr || TextAt(*metadata, "name").empty()) {
        return Wrong("Nodes", "a node of \"Nodes\" has no name");
      }
      args.nodes.push_back(TextAt(*metadata, "name"));
      args.node_objects.push_back(
          node.dump(-1, ' ', false, Json::error_handler_t::replace));
    }
  } else {
    return Wrong("Nodes", "neither \"Nodes\" nor \"NodeNames\" are there");
  }
  if (args.nodes.size() > kMostNodes) {
    return Wrong("Nodes", "more than 10,000 nodes are asked about");
  }
  return std::nullopt;
}

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

OrProblem<ExtenderArgs> ReadExtenderArgs(std::string_view json) {
  bool too_deep = false;
  const Json root = Json::parse(
      json.begin(), json.end(),
      [&too_deep](int depth, Json::parse_event_t, const Json&) {
        too_deep |= depth > kDeepest;
        return depth <= kDeepest;
      },
      /*allow_exceptions=*/false);
  if (root.is_discarded() || !root.is_object() || too_deep) {
    return Problem{400, "invalid_json", "",
                   "the body is no ExtenderArgs of a Kubernetes scheduler"};
  }
  ExtenderArgs args;
  if (auto problem = TakePod(root, args)) {
    return *problem;
  }
  if (auto problem = TakeNodes(root, args)) {
    return *problem;
  }
  return args;
}

std::string FilterResultJson(const ExtenderArgs& args,
                             const std::vector<NodeVerdict>& verdicts) {
  Json names = Json::array();
  std::string objects;
  Json failed = Json::object();
  Json hopeless = Json::object();
  for (size_t i = 0; i < verdicts.size(); ++i) {
    const std::string& node = args.nodes[i];
    if (!verdicts[i].fits) {
      (verdicts[i].hopeless ? hopeless : failed)[node] = verdicts[i].why_not;
    } else if (args.names_only) {
      names.push_back(node);
    } else {
      objects += (objects.empty() ? "" : ",") + args.node_objects[i];
    }
  }
  const Json rest = {{"FailedNodes", failed},
                     {"FailedAndUnresolvableNodes", hopeless},
                     {"Error", ""}};
  std::string text = Dump(rest);
  text.erase(text.size() - 2);  // "}\n"
  return text +
         (args.names_only
              ? ",\"Nodes\":null,\"NodeNames\":" +
                    names.dump(-1, ' ', false, Json::error_handler_t::replace)
              : ",\"Nodes\":{\"metadata\":{},\"items\":[" + objects +
                    "]},\"NodeNames\":null") +
         "}\n";
}

std::string FilterErrorJson(std::string_view why) {
  return Dump({{"Nodes", nullptr},
               {"NodeNames", nullptr},
               {"FailedNodes", Json::object()},
               {"FailedAndUnresolvableNodes", Json::object()},
               {"Error", std::string(why)}});
}

std::string PrioritiesJson(const ExtenderArgs& args,
                           const std::vector<NodeVerdict>& verdicts) {
  Json list = Json::array();
  for (size_t i = 0; i < verdicts.size(); ++i) {
    list.push_back({{"Host", args.nodes[i]}, {"Score", verdicts[i].score}});
  }
  return Dump(list);
}

}  // namespace edgewise
