// How late this machine starts jobs: measured by executing a plan of jobs that
// do nothing, two at a time on every core.
#ifndef EDGEWISE_EXECUTION_CALIBRATE_TIMERS_H_
#define EDGEWISE_EXECUTION_CALIBRATE_TIMERS_H_

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/result.h"
#include "execution/execute.h"
#include "execution/execution.h"
#include "scheduling/machine_timers.h"

namespace edgewise {

// First argument of an edgewise whose jobs do nothing.
inline constexpr char kEmptyJobsWord[] = "@empty-jobs";
// The life of such a program; its exit code.
int RunEmptyJobs();

struct CalibrateSettings {
  std::vector<int> cores;
  int64_t period_ns = 2'000'000;
  int64_t duration_ns = 10'000'000'000;
  bool hold_latency = false;
};

struct TimerCalibration {
  MachineTimers timers;
  Execution execution;
};

// As Execute; a cancelled execution has no timers. Refused: no cores, a
// duration of less than 100 periods.
Result<TimerCalibration> CalibrateTimers(const std::filesystem::path& home,
                                         const CalibrateSettings& settings,
                                         const ExecuteListener& progress);

// Where a home keeps them.
std::filesystem::path TimersFile(const std::filesystem::path& home);

}  // namespace edgewise

#endif  // EDGEWISE_EXECUTION_CALIBRATE_TIMERS_H_
