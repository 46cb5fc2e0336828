#include "placement/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/yaml_scalar.h"

namespace edgewise {
namespace {

// Of a label's value.
constexpr size_t kLongestName = 63;
constexpr size_t kLongestImage = 1000;

}  // namespace

bool IsImageReference(std::string_view image) {
  return !image.empty() && image.size() <= kLongestImage &&
         std::isalnum(static_cast<unsigned char>(image.front())) != 0 &&
         std::all_of(image.begin(), image.end(), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                  std::string_view("./:@_-").find(c) != std::string_view::npos;
         });
}

std::string WorkloadName(std::string_view words) {
  std::string name;
  for (const char c : words) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && std::isalnum(byte) != 0) {
      name += static_cast<char>(std::tolower(byte));
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  name = name.substr(0, kLongestName);
  while (!name.empty() && name.back() == '-') {
    name.pop_back();
  }
  return name.empty() ? "network" : name;
}

Result<std::string> PlacementManifest(const std::string& network,
                                      const std::string& image,
                                      const std::string& node,
                                      const Prediction& prediction) {
  if (!IsImageReference(image)) {
    return Error{ErrorCode::kInvalid,
                 "--image \"" + image +
                     "\" is no container image: give one such as "
                     "registry.local/detector:1.2"};
  }
  const std::string name = YamlScalar(WorkloadName(network));
  std::string annotations = fmt::format(
      "    edgewise/predicted-ms: \"{:.6g}\"\n"
      "    edgewise/basis: {}\n",
      prediction.ms, BasisName(prediction.basis));
  if (prediction.low_ms && prediction.high_ms) {
    annotations +=
        fmt::format("    edgewise/interval-90-ms: \"{:.6g} {:.6g}\"\n",
                    *prediction.low_ms, *prediction.high_ms);
  }
  return fmt::format(
      "apiVersion: apps/v1\n"
      "kind: Deployment\n"
      "metadata:\n"
      "  name: {0}\n"
      "  labels:\n"
      "    app.kubernetes.io/name: {0}\n"
      "    app.kubernetes.io/managed-by: edgewise\n"
      "  annotations:\n{1}"
      "spec:\n"
      "  replicas: 1\n"
      "  selector:\n"
      "    matchLabels:\n"
      "      app.kubernetes.io/name: {0}\n"
      "  template:\n"
      "    metadata:\n"
      "      labels:\n"
      "        app.kubernetes.io/name: {0}\n"
      "    spec:\n"
      "      nodeSelector:\n"
      "        kubernetes.io/hostname: {2}\n"
      "      containers:\n"
      "        - name: {0}\n"
      "          image: {3}\n",
      name, annotations, YamlScalar(node), YamlScalar(image));
}

}  // namespace edgewise
