#include "containers/container_spec.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"

namespace edgewise {

bool ChoosesNetwork(const std::vector<std::string>& engine_args) {
  return std::any_of(
      engine_args.begin(), engine_args.end(), [](const std::string& word) {
        return word.starts_with("--net") || word.starts_with("--pod");
      });
}

std::vector<std::string> CreateWords(const Engine& engine,
                                     const ContainerSpec& spec) {
  // Output is read while the container runs; the engine's own copy of it could
  // fill the disk.
  std::vector<std::string> words = {
      "create", "--name", spec.name, "--pull", "never", "--log-driver", "none"};
  const auto add = [&words](const char* option, std::string value) {
    words.emplace_back(option);
    words.push_back(std::move(value));
  };
  words.insert(words.end(), engine.create.begin(), engine.create.end());
  for (const auto& [name, value] : spec.labels) {
    add("--label", name + "=" + value);
  }
  for (const auto& [name, value] : spec.env) {
    add("--env", name + "=" + value);
  }
  for (const ContainerSpec::Mount& mount : spec.mounts) {
    add("--mount",
        fmt::format("type=bind,source={},target={}{}", mount.host.string(),
                    mount.inside, mount.read_only ? ",readonly" : ""));
  }
  if (spec.limits.cpu_cores) {
    add("--cpus", fmt::format("{:g}", *spec.limits.cpu_cores));
  }
  if (spec.limits.memory_bytes) {
    add("--memory", std::to_string(*spec.limits.memory_bytes));
  }
  if (!spec.limits.cores.empty()) {
    add("--cpuset-cpus", FormatCpuList(spec.limits.cores));
  }
  for (const std::string& device : spec.limits.devices) {
    add("--device", device);
  }
  if (!spec.network.empty() && !ChoosesNetwork(spec.engine_args)) {
    add("--network", spec.network);
  }
  if (!spec.cgroup_parent.empty()) {
    add("--cgroup-parent", spec.cgroup_parent);
  }
  words.insert(words.end(), spec.engine_args.begin(), spec.engine_args.end());
  words.push_back(spec.image);
  words.insert(words.end(), spec.args.begin(), spec.args.end());
  return words;
}

}  // namespace edgewise
