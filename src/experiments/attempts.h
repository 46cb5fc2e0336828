// Which Runs of an experiment count: of several attempts at the same
// measurement the first that nothing disturbed, else the least disturbed.
#ifndef EDGEWISE_EXPERIMENTS_ATTEMPTS_H_
#define EDGEWISE_EXPERIMENTS_ATTEMPTS_H_

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "experiments/disturbance.h"
#include "store/analysis.h"
#include "store/store.h"

namespace edgewise {

struct MeasuredRun {
  Run run;
  RunAnalysis analysis;
  Disturbance disturbance;
};
Result<MeasuredRun> Measure(const Store& store, Run run,
                            const DisturbanceLimits& limits);

// Group role and number of the repeat.
using MeasurementKey = std::pair<std::string, int>;
inline MeasurementKey KeyOf(const Run& run) {
  return {run.group_role, run.repeat_index};
}

struct Attempts {
  MeasuredRun best;
  int count = 0;  // attempts, the best among them
};

// Runs that were cancelled, cut off or are still being made do not count.
class AttemptTable {
 public:
  void Add(MeasuredRun measured);
  const std::map<MeasurementKey, Attempts>& all() const { return table_; }
  // nullptr if there was none.
  const Attempts* Find(const MeasurementKey& key) const;

 private:
  std::map<MeasurementKey, Attempts> table_;
};

// The Runs of a group, in the order in which they were made.
Result<std::vector<Run>> RunsOfGroup(const Store& store,
                                     const std::string& group);
Result<AttemptTable> ReadAttempts(const Store& store,
                                  const std::vector<Run>& runs,
                                  const DisturbanceLimits& limits);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_ATTEMPTS_H_
