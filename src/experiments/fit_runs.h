// The trials of a search for least resources as real, stored Runs.
#ifndef EDGEWISE_EXPERIMENTS_FIT_RUNS_H_
#define EDGEWISE_EXPERIMENTS_FIT_RUNS_H_

#include <string>
#include <vector>

#include "base/result.h"
#include "experiments/least_resources.h"
#include "sessions/session.h"
#include "store/store.h"

namespace edgewise {

// All Runs share a group. The store must outlive it.
class FitRuns {
 public:
  // `settings`: the command and conditions of all trials; its cores, if any,
  // are those at hand. Its quota and memory limit are set here.
  FitRuns(Store& store, SessionSettings settings, const FitRequest& request,
          ProgressListener progress);

  // The limits are always set, if only to all there is, so that a machine that
  // refuses them does so at the first trial.
  Result<Trial> Run(const ResourceLimits& limits);

  const std::string& group() const { return group_; }

 private:
  Store& store_;
  SessionSettings settings_;
  std::vector<Target> targets_;
  std::vector<int> cpus_;
  int max_runs_;
  ProgressListener progress_;
  std::string group_;
  int made_ = 0;
};

// The cores that trials with these settings may use.
std::vector<int> CoresAtHand(const SessionSettings& settings);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_FIT_RUNS_H_
