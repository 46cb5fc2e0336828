#include "cards/resources.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/text.h"
#include "base/units.h"

namespace edgewise {
namespace {

constexpr int64_t kMiB = 1 << 20;

struct AmountsKey {
  std::string_view key;
  CardAmounts CardResources::*field;
};
constexpr std::array<AmountsKey, 5> kAmountsKeys{{
    {"lower", &CardResources::lower},
    {"target", &CardResources::target},
    {"upper", &CardResources::upper},
    {"requests", &CardResources::requests},
    {"limits", &CardResources::limits},
}};

}  // namespace

std::string FormatMillicores(double cores) {
  return fmt::format("{:.0f}m", std::ceil(cores * 1000 - 1e-6));
}

std::string FormatMebibytes(int64_t bytes) {
  return fmt::format("{}Mi", bytes / kMiB + (bytes % kMiB != 0 ? 1 : 0));
}

std::string SetResource(CardResources& resources, std::string_view key,
                        std::string_view text) {
  if (key == "meets") {
    resources.meets = text;
    return "";
  }
  if (key == "confidence") {
    const auto confidence = ParseDouble(text);
    if (!confidence || !(*confidence > 0) || *confidence >= 1) {
      return "`confidence` must be above 0 and below 1, such as 0.95";
    }
    resources.confidence = *confidence;
    return "";
  }
  if (key == "cores") {
    const auto cores = ParseInt(text);
    if (!cores || *cores < 1 || *cores > 1'000'000) {
      return "`cores` must be a whole number above 0";
    }
    resources.cores = static_cast<int>(*cores);
    return "";
  }
  for (const AmountsKey& known : kAmountsKeys) {
    if (key == known.key) {
      return fmt::format("`{}` is written {{cpu: 350m, memory: 210Mi}}", key);
    }
  }
  return fmt::format(
      "there is no key `{}` in resources; there are meets, confidence, cores, "
      "lower, target, upper, requests, limits and runs",
      key.substr(0, 80));
}

std::string SetAmounts(
    CardResources& resources, std::string_view key,
    const std::vector<std::pair<std::string, std::string>>& pairs) {
  for (const AmountsKey& known : kAmountsKeys) {
    if (key != known.key) {
      continue;
    }
    CardAmounts& amounts = resources.*known.field;
    for (const auto& [name, text] : pairs) {
      if (name == "cpu") {
        const auto cores = ParseCpuQuota(text);
        if (!cores) {
          return cores.error().message;
        }
        amounts.cpu_cores = *cores;
      } else if (name == "memory") {
        const auto bytes = ParseBytes(text);
        if (!bytes) {
          return bytes.error().message;
        }
        amounts.memory_bytes = *bytes;
      } else {
        return fmt::format("`{}` has cpu and memory, not `{}`", key,
                           name.substr(0, 80));
      }
    }
    return "";
  }
  return SetResource(resources, key, "");
}

std::string ResourcesYaml(const CardResources& resources,
                          std::string (*quoted)(std::string_view)) {
  std::string yaml = "resources:  # edgewise fit; units as in Kubernetes\n";
  if (!resources.meets.empty()) {
    yaml += fmt::format("  meets: {}\n", quoted(resources.meets));
  }
  if (resources.confidence) {
    yaml += fmt::format("  confidence: {}\n", *resources.confidence);
  }
  if (resources.cores) {
    yaml += fmt::format("  cores: {}\n", *resources.cores);
  }
  for (const AmountsKey& key : kAmountsKeys) {
    const CardAmounts& amounts = resources.*key.field;
    std::vector<std::string> pieces;
    if (amounts.cpu_cores) {
      pieces.push_back("cpu: " + FormatMillicores(*amounts.cpu_cores));
    }
    if (amounts.memory_bytes) {
      pieces.push_back("memory: " + FormatMebibytes(*amounts.memory_bytes));
    }
    if (!pieces.empty()) {
      yaml += fmt::format("  {}: {{{}}}\n", key.key, Join(pieces, ", "));
    }
  }
  std::vector<std::string> runs;
  for (const std::string& run : resources.runs) {
    runs.push_back(quoted(run));
  }
  if (!runs.empty()) {
    yaml += fmt::format("  runs: [{}]\n", Join(runs, ", "));
  }
  return yaml;
}

}  // namespace edgewise
