// The names of performance events, and why the kernel refuses one.
#ifndef EDGEWISE_PROBES_PERF_EVENTS_H_
#define EDGEWISE_PROBES_PERF_EVENTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace edgewise {

// One event as perf_event_open wants it.
struct PerfEvent {
  std::string name;     // as the user wrote it: "cache-misses", "r1a8"
  uint32_t type = 0;    // PERF_TYPE_*
  uint64_t config = 0;  // PERF_COUNT_*, or a raw code
  bool hardware = false;
  bool nanoseconds = false;  // task-clock and cpu-clock count time
  // Happens in the kernel only: a counter that leaves out the kernel's work
  // opens, and stays at 0.
  bool only_in_kernel = false;
};

// "cycles", "instructions", "page-faults", … or a raw code of this CPU as rHEX.
// The error of an unknown name lists the known ones and the nearest.
Result<PerfEvent> FindPerfEvent(std::string_view name);
// All at once; the first unknown name is the error.
Result<std::vector<PerfEvent>> FindPerfEvents(
    const std::vector<std::string>& names);
// All names, those of hardware events first.
std::vector<std::string> PerfEventNames();

// Why perf_event_open refused an event, in one sentence that names the setting
// in the way. `paranoid` is the value of kernel.perf_event_paranoid if known.
std::string ExplainPerfRefusal(const PerfEvent& event, int errno_value,
                               std::optional<int64_t> paranoid);

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_PERF_EVENTS_H_
