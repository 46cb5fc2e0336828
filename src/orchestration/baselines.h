// How others place: each request in turn goes to a server by a simple rule,
// where memory and promises allow it.
#ifndef EDGEWISE_ORCHESTRATION_BASELINES_H_
#define EDGEWISE_ORCHESTRATION_BASELINES_H_

#include <string_view>
#include <vector>

#include "orchestration/server_load.h"

namespace edgewise::orchestration {

enum class Baseline {
  kFirstFit,        // the first server that can take it
  kBestFit,         // the one with the least memory left
  kLeastAllocated,  // Kubernetes' default: the emptiest
  kLoadAware,       // Trimaran's: packed up to a target load, then spread
  kRelaxAndRound,   // NeuRO's: server after server, relaxed, then rounded
};
inline constexpr Baseline kBaselines[] = {
    Baseline::kFirstFit, Baseline::kBestFit, Baseline::kLeastAllocated,
    Baseline::kLoadAware, Baseline::kRelaxAndRound};

std::string_view BaselineName(Baseline baseline);
std::vector<ServerLoad> PlaceBy(Baseline baseline, const Problem& problem);

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_BASELINES_H_
