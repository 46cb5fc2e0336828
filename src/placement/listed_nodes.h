// The nodes of a cluster and what they are made of, as a user lists them
// (docs/predict.md).
#ifndef EDGEWISE_PLACEMENT_LISTED_NODES_H_
#define EDGEWISE_PLACEMENT_LISTED_NODES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace edgewise {

struct ListedNode {
  std::string name;    // as the cluster calls it
  std::string device;  // a board's name; may be empty
  std::string spec;    // its description, for a board never measured
  std::optional<int> threads;
  std::optional<double> load_percent;  // of all cores, by everything else
};

// YAML: `nodes`, a list of maps. Refuses names that are there twice or that no
// cluster can have; `origin` is what errors call the text.
Result<std::vector<ListedNode>> ReadListedNodes(std::string_view yaml,
                                                const std::string& origin);

}  // namespace edgewise

#endif  // EDGEWISE_PLACEMENT_LISTED_NODES_H_
