// What Runs say an app needs of a GPU. Private to this room.
#ifndef EDGEWISE_CARDS_GPU_NEEDS_H_
#define EDGEWISE_CARDS_GPU_NEEDS_H_

#include <span>
#include <string>
#include <vector>

#include "cards/card.h"
#include "store/run.h"

namespace edgewise {

// Sets gpu_memory_mb and gpu_bandwidth_gbs to the most of all Runs; what an app
// that uses a GPU has no figure of is told to `warnings`.
void FillGpuNeeds(std::span<const Run> runs, Card& card,
                  std::vector<std::string>& warnings);

}  // namespace edgewise

#endif  // EDGEWISE_CARDS_GPU_NEEDS_H_
