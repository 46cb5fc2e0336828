// Removing containers whose edgewise is gone.
#ifndef EDGEWISE_CONTAINERS_SWEEP_CONTAINERS_H_
#define EDGEWISE_CONTAINERS_SWEEP_CONTAINERS_H_

#include <filesystem>

#include "base/result.h"
#include "containers/engine.h"

namespace edgewise {

// Removes the engine's containers, and their volumes, that carry edgewise's
// label and whose owner is gone. Returns how many. Safe while others run.
Result<int> SweepContainers(const Engine& engine);

// The same for each engine of which a mark of a gone owner says that something
// may be left; asks no engine otherwise. After SweepStale
// (controls/guardian.h).
void SweepMarkedContainers(const std::filesystem::path& home);

}  // namespace edgewise

#endif  // EDGEWISE_CONTAINERS_SWEEP_CONTAINERS_H_
