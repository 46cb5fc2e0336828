// A Kubernetes manifest that runs a container on one node.
#ifndef EDGEWISE_PLACEMENT_MANIFEST_H_
#define EDGEWISE_PLACEMENT_MANIFEST_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "prediction/predict.h"

namespace edgewise {

// A name that Kubernetes takes for what a user calls a network: "YOLO v5.onnx"
// is "yolo-v5-onnx"; never empty.
std::string WorkloadName(std::string_view words);

// Whether Kubernetes could take the text for a container image.
bool IsImageReference(std::string_view image);

struct Deployment {
  struct Resources {
    int64_t cpu_millicores = 0;
    int64_t memory_mib = 0;
    std::optional<int64_t> cpu_limit_millicores;  // nullopt: none
    std::optional<int64_t> memory_limit_mib;      // nullopt: as requested
  };
  std::string name;
  std::string image;
  std::string node;  // the only one that it may run on
  int64_t replicas = 1;
  // Below edgewise/; plain texts of ours.
  std::vector<std::pair<std::string, std::string>> annotations;
  // Likewise, of each of its pods.
  std::vector<std::pair<std::string, std::string>> pod_annotations;
  std::optional<Resources> resources;
};
std::string DeploymentManifest(const Deployment& deployment);

// A Deployment of one `image`, bound to `node`, with the prediction as
// annotations. Refuses an image that is no reference to one.
Result<std::string> PlacementManifest(const std::string& network,
                                      const std::string& image,
                                      const std::string& node,
                                      const Prediction& prediction);

}  // namespace edgewise

#endif  // EDGEWISE_PLACEMENT_MANIFEST_H_
