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
  Deployment deployment;
  deployment.name = WorkloadName(network);
  deployment.image = image;
  deployment.node = node;
  deployment.annotations = {
      {"predicted-ms", fmt::format("{:.6g}", prediction.ms)},
      {"basis", std::string(BasisName(prediction.basis))}};
  if (prediction.low_ms && prediction.high_ms) {
    deployment.annotations.emplace_back(
        "interval-90-ms",
        fmt::format("{:.6g} {:.6g}", *prediction.low_ms, *prediction.high_ms));
  }
  return DeploymentManifest(deployment);
}

std::string DeploymentManifest(const Deployment& deployment) {
  const auto annotations = [](const auto& entries, int indent) {
    if (entries.empty()) {
      return std::string();
    }
    std::string lines = fmt::format("{:{}}annotations:\n", "", indent);
    for (const auto& [key, text] : entries) {
      lines += fmt::format("{:{}}  edgewise/{}: {}\n", "", indent, key,
                           YamlScalar(text));
    }
    return lines;
  };
  std::string yaml = fmt::format(
      "apiVersion: apps/v1\n"
      "kind: Deployment\n"
      "metadata:\n"
      "  name: {0}\n"
      "  labels:\n"
      "    app.kubernetes.io/name: {0}\n"
      "    app.kubernetes.io/managed-by: edgewise\n",
      YamlScalar(deployment.name));
  yaml += annotations(deployment.annotations, 2);
  yaml += fmt::format(
      "spec:\n"
      "  replicas: {1}\n"
      "  selector:\n"
      "    matchLabels:\n"
      "      app.kubernetes.io/name: {0}\n"
      "  template:\n"
      "    metadata:\n"
      "      labels:\n"
      "        app.kubernetes.io/name: {0}\n"
      "{4}"
      "    spec:\n"
      "      affinity:\n"
      "        nodeAffinity:\n"
      "          requiredDuringSchedulingIgnoredDuringExecution:\n"
      "            nodeSelectorTerms:\n"
      "              - matchExpressions:\n"
      "                  - key: kubernetes.io/hostname\n"
      "                    operator: In\n"
      "                    values:\n"
      "                      - {2}\n"
      "      containers:\n"
      "        - name: {0}\n"
      "          image: {3}\n",
      YamlScalar(deployment.name), deployment.replicas,
      YamlScalar(deployment.node), YamlScalar(deployment.image),
      annotations(deployment.pod_annotations, 6));
  if (const auto& resources = deployment.resources) {
    yaml += fmt::format(
        "          resources:\n"
        "            requests:\n"
        "              cpu: {0}m\n"
        "              memory: {1}Mi\n"
        "            limits:\n"
        "{2}"
        "              memory: {3}Mi\n",
        resources->cpu_millicores, resources->memory_mib,
        resources->cpu_limit_millicores
            ? fmt::format("              cpu: {}m\n",
                          *resources->cpu_limit_millicores)
            : "",
        resources->memory_limit_mib.value_or(resources->memory_mib));
  }
  return yaml;
}

}  // namespace edgewise
