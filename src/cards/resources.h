// CardResources: the least CPU and memory with which an app meets a target, in
// the units of Kubernetes.
#ifndef EDGEWISE_CARDS_RESOURCES_H_
#define EDGEWISE_CARDS_RESOURCES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace edgewise {

struct CardAmounts {
  std::optional<double> cpu_cores;
  std::optional<int64_t> memory_bytes;
  bool empty() const { return !cpu_cores && !memory_bytes; }
};

struct CardResources {
  std::string meets;  // the target, as `edgewise fit` takes it
  std::optional<double> confidence;
  std::optional<int> cores;  // fewest, where more than one is needed
  CardAmounts lower;         // not enough, as far as was seen
  CardAmounts target;        // the least that was confirmed
  CardAmounts upper;         // with the uncertainty on top
  CardAmounts requests;      // for Kubernetes
  CardAmounts limits;
  std::vector<std::string> runs;  // ids
};

// "350m": whole millicores, rounded up.
std::string FormatMillicores(double cores);
// "210Mi": whole MiB, rounded up.
std::string FormatMebibytes(int64_t bytes);

// Sets what a key of `resources` in a card says: one text, or amounts as pairs
// such as {cpu, 350m}. Returns what is wrong, empty if nothing is.
std::string SetResource(CardResources& resources, std::string_view key,
                        std::string_view text);
std::string SetAmounts(
    CardResources& resources, std::string_view key,
    const std::vector<std::pair<std::string, std::string>>& pairs);

// Lines of YAML from "resources:" on, each ended by a line feed; quoted(text)
// makes a text a YAML scalar.
std::string ResourcesYaml(const CardResources& resources,
                          std::string (*quoted)(std::string_view));

}  // namespace edgewise

#endif  // EDGEWISE_CARDS_RESOURCES_H_
