// The least CPU and memory with which an app meets its targets, found in few
// Runs: the search alone, which knows Runs only by what they showed.
#ifndef EDGEWISE_EXPERIMENTS_LEAST_RESOURCES_H_
#define EDGEWISE_EXPERIMENTS_LEAST_RESOURCES_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "experiments/judgement.h"
#include "experiments/target.h"

namespace edgewise {

struct ResourceLimits {
  double cpu_cores = 0;                 // quota
  std::optional<int> cores;             // cores it may use; unset: all
  std::optional<int64_t> memory_bytes;  // unset: all there is
};

enum class TrialEnd {
  kDone,         // it ended as planned
  kOutOfMemory,  // killed by the memory limit
  kFailed,       // any other failure of the app
  kCancelled,    // the user stopped it
};

// One Run under limits.
struct Trial {
  ResourceLimits limits;
  std::string run_id;
  TrialEnd end = TrialEnd::kDone;
  std::string failure;                      // one clause: "exited with code 3"
  std::string output_tail;                  // of an app that failed
  std::vector<TargetSamples> observations;  // one for each target, if kDone
  std::optional<int64_t> peak_bytes;
  std::optional<double> cpu_s;
  std::optional<double> wall_s;
};
using TrialRunner = std::function<Result<Trial>(const ResourceLimits&)>;

enum class TrialPurpose { kUnlimited, kCpu, kCores, kMemory, kConfirm };

struct FitStep {
  TrialPurpose purpose = TrialPurpose::kUnlimited;
  Trial trial;
  // Of all trials so far under these limits and for this purpose.
  JointJudgement judgement;
};
using FitListener = std::function<void(const FitStep&)>;

struct FitRequest {
  std::vector<Target> targets;  // at least one
  double confidence = 0.95;
  int max_runs = 15;  // at least 3
  double memory_margin = 0.1;
  bool squeeze_memory = false;
  int cores_at_hand = 1;
};

inline constexpr double kLeastCpuCores = 0.01;  // what the kernel accepts
inline constexpr double kCpuStep = 0.05;        // relative; or 10 millicores
inline constexpr int64_t kLeastMarginBytes = 4 << 20;

enum class FitOutcome {
  kFound,        // and confirmed
  kUnconfirmed,  // max_runs were not enough to confirm it
  kCannotMeet,   // not even with all cores
  kAppFailed,    // not even without limits does it run
  kCancelled,
};

// An amount of both, rounded up to whole millicores and MiB.
struct Resources {
  std::optional<double> cpu_cores;
  std::optional<int64_t> memory_bytes;
};

struct FitAnswer {
  FitOutcome outcome = FitOutcome::kCannotMeet;
  // Largest CPU with which the targets were not met, and the peak of memory;
  // what was found and tried; that with the uncertainty on top. Empty unless
  // kFound or kUnconfirmed. Memory is empty where its peak is unknown.
  Resources lower;
  Resources target;
  Resources upper;
  std::optional<int> cores;  // fewest that meet it, where CPU exceeds one
  std::optional<int64_t> peak_bytes;
  std::vector<FitStep> steps;      // in the order of Runs
  std::vector<std::string> notes;  // sentences on what happened on the way
};

// Runs without limits, guesses the CPU need from what that used, brackets and
// bisects in equal ratios down to 5% or 10 millicores; then the fewest cores,
// where more than one is needed; memory as the peak and a margin (or, to
// squeeze, by bisection); then confirms all limits together by fresh Runs, and
// steps up where that fails. Points near the limit are repeated, up to three
// times where it counts, until decided. An error is the runner's.
Result<FitAnswer> FindLeastResources(const FitRequest& request,
                                     const TrialRunner& run,
                                     const FitListener& listener);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_LEAST_RESOURCES_H_
