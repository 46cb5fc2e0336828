// Why a GPU does not run at its highest clock, in words.
#ifndef EDGEWISE_PROBES_GPU_THROTTLE_REASONS_H_
#define EDGEWISE_PROBES_GPU_THROTTLE_REASONS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace edgewise {

// Of NVML's bits, those that slow work down: "its power limit", "heat". Idling
// and clocks that a user chose are no throttling. Bits that are not known are
// named by their number.
std::vector<std::string> ThrottleReasons(uint64_t bits);

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_GPU_THROTTLE_REASONS_H_
