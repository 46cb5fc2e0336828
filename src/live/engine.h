// What a container engine calls a container: Docker, Podman, containerd, CRI-O.
//
// Read from the files that engines keep, because their sockets are root's and
// differ; where none is found a container is known by its id alone. The only
// file of this room that knows JSON.
#ifndef EDGEWISE_LIVE_ENGINE_H_
#define EDGEWISE_LIVE_ENGINE_H_

#include <filesystem>
#include <string>
#include <string_view>

namespace edgewise::live {

struct EngineNames {
  std::string container;
  std::string pod;  // "namespace/name"

  bool empty() const { return container.empty() && pod.empty(); }
};

// `container_id` has 64 hex digits. `root` is that of the machine: another one
// in tests, and where the agent itself runs in a container.
EngineNames FindEngineNames(const std::string& container_id,
                            const std::filesystem::path& root = "/");

// The parts of the search, by what the file is.
EngineNames ParseOciConfig(std::string_view json);     // config.json
EngineNames ParseDockerConfig(std::string_view json);  // config.v2.json
EngineNames ParseContainerList(std::string_view json,  // containers.json
                               std::string_view container_id);

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_ENGINE_H_
