// What a container is made of, and the engine's words for it.
#ifndef EDGEWISE_CONTAINERS_CONTAINER_SPEC_H_
#define EDGEWISE_CONTAINERS_CONTAINER_SPEC_H_

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "appfile/app_file.h"
#include "containers/engine.h"

namespace edgewise {

// By these labels containers are known to be edgewise's, and whose.
inline constexpr char kRunLabel[] = "edgewise.run";
inline constexpr char kOwnerLabel[] = "edgewise.owner";

struct ContainerSpec {
  struct Mount {
    std::filesystem::path host;
    std::string inside;
    bool read_only = false;
  };

  std::string name;   // different for each
  std::string image;  // whose entrypoint is kept
  std::vector<std::string> args;
  std::vector<std::string> engine_args;  // the user's, after ours
  std::map<std::string, std::string> env;
  std::map<std::string, std::string> labels;
  std::vector<Mount> mounts;
  Limits limits;
  std::string network;        // empty: as the engine has it
  std::string cgroup_parent;  // empty: as the engine has it
  // What relative paths in engine_args are relative to.
  std::string folder;
};

// Whether the user's own options say which network is used.
bool ChoosesNetwork(const std::vector<std::string>& engine_args);

// `create …` with all of it, without the engine's own name.
std::vector<std::string> CreateWords(const Engine& engine,
                                     const ContainerSpec& spec);

}  // namespace edgewise

#endif  // EDGEWISE_CONTAINERS_CONTAINER_SPEC_H_
