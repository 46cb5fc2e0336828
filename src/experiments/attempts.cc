#include "experiments/attempts.h"

#include <algorithm>

#include "sessions/outcome.h"

namespace edgewise {

Result<MeasuredRun> Measure(const Store& store, Run run,
                            const DisturbanceLimits& limits) {
  auto analysis = Analyse(store, run);
  if (!analysis) {
    return analysis.error();
  }
  MeasuredRun measured{std::move(run), std::move(*analysis), {}};
  measured.disturbance =
      JudgeDisturbance(measured.run, measured.analysis, limits);
  return measured;
}

void AttemptTable::Add(MeasuredRun measured) {
  if (measured.run.state != RunState::kDone || WasCancelled(measured.run)) {
    return;
  }
  const auto [at, added] = table_.try_emplace(KeyOf(measured.run));
  Attempts& attempts = at->second;
  ++attempts.count;
  if (added ||
      (attempts.best.disturbance.disturbed() &&
       measured.disturbance.severity < attempts.best.disturbance.severity)) {
    attempts.best = std::move(measured);
  }
}

const Attempts* AttemptTable::Find(const MeasurementKey& key) const {
  const auto found = table_.find(key);
  return found == table_.end() ? nullptr : &found->second;
}

Result<std::vector<Run>> RunsOfGroup(const Store& store,
                                     const std::string& group) {
  ListFilter filter;
  filter.group = group;
  auto runs = store.List(filter);
  if (runs) {
    std::reverse(runs->begin(), runs->end());
  }
  return runs;
}

Result<AttemptTable> ReadAttempts(const Store& store,
                                  const std::vector<Run>& runs,
                                  const DisturbanceLimits& limits) {
  AttemptTable table;
  for (const Run& run : runs) {
    auto measured = Measure(store, run, limits);
    if (!measured) {
      return measured.error();
    }
    table.Add(std::move(*measured));
  }
  return table;
}

}  // namespace edgewise
