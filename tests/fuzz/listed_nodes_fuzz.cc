// Lists of nodes that users write.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "placement/listed_nodes.h"
#include "placement/manifest.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto nodes = edgewise::ReadListedNodes(text, "nodes.yaml");
  if (nodes) {
    for (const edgewise::ListedNode& node : *nodes) {
      if (node.name.empty()) {
        std::abort();
      }
      (void)edgewise::PlacementManifest(node.device, "image", node.name, {});
    }
  }
  return 0;
}
