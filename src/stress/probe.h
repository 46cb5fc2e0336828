// A probe: a small program that feels pressure on one resource.
//
// It does the same little work over and over and records each as a span "item"
// of the in-app library: what makes its items longer is somebody's pressure.
#ifndef EDGEWISE_STRESS_PROBE_H_
#define EDGEWISE_STRESS_PROBE_H_

#include <filesystem>

#include "base/result.h"
#include "stress/pace.h"
#include "stress/stress_spec.h"

namespace edgewise {

inline constexpr const char* kProbeSpan = "item";

// kCpu: arithmetic. kCache: follows a chain through half of the last-level
// cache. kBandwidth: copies memory beyond it. The others are refused: what
// presses on them is seen in a Run's own totals.
Result<void> RunProbe(StressKind kind, const StopClock& stop,
                      const std::filesystem::path& sys_root = "/sys");

}  // namespace edgewise

#endif  // EDGEWISE_STRESS_PROBE_H_
