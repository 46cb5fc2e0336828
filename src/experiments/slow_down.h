// How much longer an actor's items take beside others than alone.
#ifndef EDGEWISE_EXPERIMENTS_SLOW_DOWN_H_
#define EDGEWISE_EXPERIMENTS_SLOW_DOWN_H_

#include <optional>
#include <string>
#include <vector>

#include "experiments/contend_measure.h"
#include "stats/compare.h"
#include "stats/quantile.h"

namespace edgewise {

// p50 and p95 of items that belong together; nullopt without any.
struct ItemFigures {
  std::optional<stats::Estimate> p50_ns;
  std::optional<stats::Estimate> p95_ns;
  std::vector<std::string> runs;  // ids
};

// One actor in one kind of deployment, all repeats together.
struct SlowDown {
  std::string actor;
  std::vector<std::string> beside;
  ItemFigures contended;
  // Over the baselines next to it in time, on both sides where there are.
  stats::Comparison p50;
  stats::Comparison p95;
  // p50 of each repeat over its own baselines.
  std::vector<double> p50_ratios;
  std::string failure;  // why there is none, or fewer repeats; empty if all is
};

ItemFigures BaselineOf(const std::vector<Observation>& all,
                       const std::string& actor);
// CPU time that the actor wants alone, in cores; nullopt if it was never alone.
std::optional<double> CoresAlone(const std::vector<Observation>& all,
                                 const std::string& actor);

// With five repeats or more the interval is of whole repeats, below that of
// the items within, which says nothing of how repeats vary.
SlowDown SlowDownOf(const std::vector<Observation>& all,
                    const std::string& actor,
                    const std::vector<std::string>& beside);

// Of every actor that has baselines, in every deployment that it was in, in
// the order in which these were first measured.
std::vector<SlowDown> AllSlowDowns(const std::vector<Observation>& all);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_SLOW_DOWN_H_
