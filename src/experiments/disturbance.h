// Disturbance: whether something else on the machine spoiled a Run.
#ifndef EDGEWISE_EXPERIMENTS_DISTURBANCE_H_
#define EDGEWISE_EXPERIMENTS_DISTURBANCE_H_

#include <string>

#include "store/analysis.h"
#include "store/run.h"

namespace edgewise {

// In percent. What a Run's own load causes counts too where the kernel cannot
// tell it apart: an app that waits for its own disk needs a higher limit.
struct DisturbanceLimits {
  double others_percent = 10;    // mean CPU use of other programs, of one core
  double steal_percent = 2;      // taken by the hypervisor, of one core
  double pressure_percent = 20;  // of the time: waiting for memory or disk
};

struct Disturbance {
  // How far above its limit the worst of them is; at most 1: undisturbed.
  // What the machine does not tell does not count.
  double severity = 0;
  std::string reason;  // "other programs used 34% of a core"; empty if none
  bool disturbed() const { return severity > 1; }
};

Disturbance JudgeDisturbance(const Run& run, const RunAnalysis& analysis,
                             const DisturbanceLimits& limits);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_DISTURBANCE_H_
