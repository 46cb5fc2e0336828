// Node: what a machine has to give, for apps that are to share it.
#ifndef EDGEWISE_HISTORY_NODE_H_
#define EDGEWISE_HISTORY_NODE_H_

#include <optional>
#include <string>
#include <string_view>

#include "base/machine.h"
#include "base/result.h"
#include "store/store.h"

namespace edgewise {

struct Node {
  std::string name;
  std::string fingerprint;  // of its Machine; empty: not known
  std::optional<double> cores;
  std::optional<double> memory_bytes;
  std::optional<double> gpu_memory_bytes;   // 0: it has no GPU
  std::optional<double> gpu_bandwidth_gbs;  // 10^9 bytes a second
  // What its system keeps for itself.
  double reserved_cores = 0;
  double reserved_memory_bytes = 0;
};

// YAML: name, cores, memory, gpu_memory, gpu_bandwidth_gbs, reserved_cores and
// reserved_memory; sizes as "8GiB". `origin` is what errors call the text.
Result<Node> ReadNode(std::string_view yaml, const std::string& origin);

// A machine that Runs of the store were made on, by host name or by the
// beginning of its fingerprint. kNotFound names those there are.
Result<Node> NodeOfRuns(const Store& store, std::string_view name);

// A machine as it says itself, and what Runs that were made on it know of its
// GPUs.
Result<Node> NodeOfMachine(const Store& store, const Machine& machine);

}  // namespace edgewise

#endif  // EDGEWISE_HISTORY_NODE_H_
