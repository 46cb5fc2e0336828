// A stressor: puts pressure on one resource, and checks that it did.
//
// The room `stress` knows how to press on a resource and how to feel pressure
// (probe.h). It must not know Runs, sessions or experiments: these launch it
// as a program like any other.
#ifndef EDGEWISE_STRESS_STRESSOR_H_
#define EDGEWISE_STRESS_STRESSOR_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "stress/pace.h"
#include "stress/stress_spec.h"

namespace edgewise {

struct StressSettings {
  StressSpec spec;
  // memory: what to hold instead of a share of what is available. cache: the
  // size of the last-level cache where the kernel does not tell.
  std::optional<int64_t> size_bytes;
  // Of cache and bandwidth. Of cpu: more than 1 share the load evenly.
  int threads = 1;
  std::filesystem::path folder;  // of disk's file; empty: $TMPDIR, /var/tmp
  // For tests.
  std::filesystem::path sys_root = "/sys";
  std::filesystem::path proc_root = "/proc";
};

// One thing that was measured while the pressure lasted.
struct StressFigure {
  std::string name;             // "CPU time", "working set"
  std::string unit;             // "cores", "bytes", "bytes/s", "1/s"
  std::optional<double> asked;  // nullopt: only told, not asked for
  double applied = 0;
};

// The self-check.
struct StressOutcome {
  bool applied = false;
  std::string reason;  // one sentence on why not; empty if it was
  std::vector<StressFigure> figures;
};

class Stressor {
 public:
  virtual ~Stressor() = default;
  // Presses until `stop` is over, and looks at what it did. An error is of the
  // environment: no memory, no disk.
  virtual Result<StressOutcome> Press(const StopClock& stop) = 0;
};

// The stressor of that kind. Refused where this machine cannot have it.
Result<std::unique_ptr<Stressor>> MakeStressor(const StressSettings& settings);

// Below this share of what was asked a pressure was not reached.
inline constexpr double kReachedShare = 0.85;

// Cores that this process may run on.
int UsableCores();

}  // namespace edgewise

#endif  // EDGEWISE_STRESS_STRESSOR_H_
