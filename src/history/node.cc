#include "history/node.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "base/units.h"
#include "base/yaml_reader.h"

namespace edgewise {
namespace {

constexpr size_t kShortestFingerprint = 4;
constexpr double kMostCores = 100000;

YamlReader::Take Bytes(YamlReader& reader, double& bytes) {
  return [&reader, &bytes](std::string_view key, const YamlNode& value) {
    const auto parsed = ParseBytes(value.Scalar());
    if (value.Scalar() == "0") {
      bytes = 0;
    } else if (parsed) {
      bytes = static_cast<double>(*parsed);
    } else {
      reader.Refuse(value, std::string(key) + ": " + parsed.error().message);
    }
  };
}

// What one Run saw of the GPUs of its machine, all together.
void TakeGpus(const Run& run, Node& node) {
  if (!run.gpu || node.gpu_memory_bytes) {
    return;
  }
  double memory = 0;
  std::optional<double> bandwidth;
  for (const GpuUse& device : run.gpu->devices) {
    if (!device.memory_bytes) {
      return;
    }
    memory += static_cast<double>(*device.memory_bytes);
    if (device.peak_bytes_per_s) {
      bandwidth = bandwidth.value_or(0) + *device.peak_bytes_per_s / 1e9;
    }
  }
  node.gpu_memory_bytes = memory;
  node.gpu_bandwidth_gbs = bandwidth;
}

Node FromMachine(const Machine& machine, const std::vector<Run>& runs) {
  Node node;
  node.name = machine.hostname;
  node.fingerprint = machine.fingerprint;
  if (machine.cores > 0) {
    node.cores = machine.cores;
  }
  if (machine.memory_bytes > 0) {
    node.memory_bytes = static_cast<double>(machine.memory_bytes);
  }
  for (const Run& run : runs) {
    if (run.machine.fingerprint == machine.fingerprint) {
      TakeGpus(run, node);
    }
  }
  return node;
}

}  // namespace

Result<Node> ReadNode(std::string_view yaml, const std::string& origin) {
  const auto root = ReadYaml(yaml, origin, "node");
  if (!root) {
    return root.error();
  }
  YamlReader reader(origin);
  Node node;
  double memory = -1;
  double gpu_memory = -1;
  reader.ReadMap(
      *root, "a node",
      {{"name", reader.Text(node.name)},
       {"cores", reader.Number(node.cores, 0.001, kMostCores)},
       {"memory", Bytes(reader, memory)},
       {"gpu_memory", Bytes(reader, gpu_memory)},
       {"gpu_bandwidth_gbs", reader.Number(node.gpu_bandwidth_gbs, 0, 1e9)},
       {"reserved_cores", reader.Number(node.reserved_cores, 0, kMostCores)},
       {"reserved_memory", Bytes(reader, node.reserved_memory_bytes)},
       {"fingerprint", reader.Text(node.fingerprint)}});
  if (reader.problem()) {
    return *reader.problem();
  }
  if (memory >= 0) {
    node.memory_bytes = memory;
  }
  if (gpu_memory >= 0) {
    node.gpu_memory_bytes = gpu_memory;
  }
  if (!node.cores || !node.memory_bytes) {
    return Error{ErrorCode::kInvalid,
                 origin +
                     ": a node needs cores and memory, such as "
                     "\"cores: 4\" and \"memory: 8GiB\""};
  }
  if (node.name.empty()) {
    node.name = origin;
  }
  return node;
}

Result<Node> NodeOfRuns(const Store& store, std::string_view name) {
  const auto runs = store.List({});
  if (!runs) {
    return runs.error();
  }
  std::vector<std::string> known;
  for (const Run& run : *runs) {
    const Machine& machine = run.machine;
    if (machine.hostname == name || (name.size() >= kShortestFingerprint &&
                                     machine.fingerprint.starts_with(name))) {
      return FromMachine(machine, *runs);
    }
    if (!machine.hostname.empty() &&
        std::find(known.begin(), known.end(), machine.hostname) ==
            known.end()) {
      known.push_back(machine.hostname);
    }
  }
  return Error{ErrorCode::kNotFound,
               "no Run was made on a machine \"" + std::string(name) +
                   "\", and there is no such file" +
                   (known.empty() ? "" : "; machines: " + Join(known, ", ")) +
                   ": describe it in a file with cores and memory"};
}

Result<Node> NodeOfMachine(const Store& store, const Machine& machine) {
  const auto runs = store.List({});
  if (!runs) {
    return runs.error();
  }
  return FromMachine(machine, *runs);
}

}  // namespace edgewise
