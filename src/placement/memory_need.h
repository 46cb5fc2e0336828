// How much memory a model takes where it runs.
#ifndef EDGEWISE_PLACEMENT_MEMORY_NEED_H_
#define EDGEWISE_PLACEMENT_MEMORY_NEED_H_

#include <optional>

#include "prediction/characteristics.h"

namespace edgewise {

// Of the program around a model: the runtime's own code and buffers.
inline constexpr double kRuntimeBytes = 64.0 * (1 << 20);

// Weights as 4 bytes each, input, output, and the runtime. nullopt where the
// count of parameters is beyond what any machine holds (10^15): such a number
// says nothing about a size.
std::optional<double> MemoryNeedBytes(const Characteristics& model);

}  // namespace edgewise

#endif  // EDGEWISE_PLACEMENT_MEMORY_NEED_H_
