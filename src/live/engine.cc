#include "live/engine.h"

#include <nlohmann/json.hpp>

#include "base/text.h"

namespace edgewise::live {
namespace {

using nlohmann::json;

constexpr uintmax_t kMostFileBytes = 4 << 20;

json Parse(std::string_view text) {
  return json::parse(text, nullptr, /*allow_exceptions=*/false);
}

// The text of a member; empty if there is none.
std::string TextOf(const json& object, const char* name) {
  if (!object.is_object()) {
    return "";
  }
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>()
                                                     : std::string();
}

const json& MemberOf(const json& object, const char* name) {
  static const json nothing;
  if (!object.is_object()) {
    return nothing;
  }
  const auto found = object.find(name);
  return found != object.end() ? *found : nothing;
}

std::string PodName(const std::string& name_space, const std::string& name) {
  return name.empty() || name_space.empty() ? name : name_space + "/" + name;
}

// Annotations or labels, by the names that engines give them.
EngineNames NamesIn(const json& notes) {
  EngineNames names;
  struct Keys {
    const char* container;
    const char* pod;
    const char* name_space;
  };
  constexpr Keys kKnown[] = {
      {"io.kubernetes.cri.container-name", "io.kubernetes.cri.sandbox-name",
       "io.kubernetes.cri.sandbox-namespace"},
      {"io.kubernetes.container.name", "io.kubernetes.pod.name",
       "io.kubernetes.pod.namespace"},
  };
  for (const Keys& keys : kKnown) {
    if (names.container.empty()) {
      names.container = TextOf(notes, keys.container);
    }
    if (names.pod.empty()) {
      names.pod =
          PodName(TextOf(notes, keys.name_space), TextOf(notes, keys.pod));
    }
  }
  return names;
}

std::string ReadConfig(const std::filesystem::path& path) {
  std::error_code error;
  const uintmax_t bytes = std::filesystem::file_size(path, error);
  return error || bytes > kMostFileBytes
             ? std::string()
             : TryReadFile(path).value_or(std::string());
}

}  // namespace

EngineNames ParseOciConfig(std::string_view text) {
  return NamesIn(MemberOf(Parse(text), "annotations"));
}

EngineNames ParseDockerConfig(std::string_view text) {
  const json config = Parse(text);
  EngineNames names = NamesIn(MemberOf(MemberOf(config, "Config"), "Labels"));
  if (names.container.empty()) {
    names.container = TextOf(config, "Name");
    if (names.container.starts_with('/')) {
      names.container.erase(0, 1);
    }
  }
  return names;
}

EngineNames ParseContainerList(std::string_view text,
                               std::string_view container_id) {
  EngineNames names;
  const json list = Parse(text);
  if (!list.is_array()) {
    return names;
  }
  for (const json& entry : list) {
    const json& all = MemberOf(entry, "names");
    if (TextOf(entry, "id") == container_id && all.is_array() && !all.empty() &&
        all.front().is_string()) {
      names.container = all.front().get<std::string>();
    }
  }
  return names;
}

EngineNames FindEngineNames(const std::string& container_id,
                            const std::filesystem::path& root) {
  const auto below = [&](const std::string& path) { return root / path; };
  EngineNames names;
  for (const char* folder : {"run/containerd", "run/k3s/containerd"}) {
    for (const char* name_space : {"k8s.io", "moby", "default"}) {
      names = ParseOciConfig(ReadConfig(
          below(std::string(folder) + "/io.containerd.runtime.v2.task/" +
                name_space + "/" + container_id + "/config.json")));
      if (!names.empty()) {
        return names;
      }
    }
  }
  names = ParseDockerConfig(ReadConfig(
      below("var/lib/docker/containers/" + container_id + "/config.v2.json")));
  for (const char* driver : {"overlay", "vfs"}) {
    if (!names.empty()) {
      break;
    }
    const std::string folder = std::string(driver) + "-containers/";
    names = ParseOciConfig(
        ReadConfig(below("run/containers/storage/" + folder + container_id +
                         "/userdata/config.json")));
    if (names.empty()) {
      names =
          ParseContainerList(ReadConfig(below("var/lib/containers/storage/" +
                                              folder + "containers.json")),
                             container_id);
    }
  }
  return names;
}

}  // namespace edgewise::live
