// Finds and loads CUPTI within a process that uses CUDA.
#ifndef EDGEWISE_GPU_CUPTI_CUPTI_LIBRARY_H_
#define EDGEWISE_GPU_CUPTI_CUPTI_LIBRARY_H_

#include <optional>
#include <string>
#include <vector>

#include "gpu/cupti/cupti_api.h"

namespace edgewise::cupti {

// Where it is looked for, best first: what $EDGEWISE_CUPTI names, the loader's
// libraries, CUDA's folders, and beside the CUDA libraries that this process
// has loaded, as Python's packages bring them. A version as the driver's comes
// first, then older ones.
std::vector<std::string> Candidates();

// The first that can be loaded; nullopt if there is none. Stays loaded.
std::optional<Api> LoadCupti();

}  // namespace edgewise::cupti

#endif  // EDGEWISE_GPU_CUPTI_CUPTI_LIBRARY_H_
