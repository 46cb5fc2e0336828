// Contention experiments: what neighbours cost.
#ifndef EDGEWISE_EXPERIMENTS_CONTEND_H_
#define EDGEWISE_EXPERIMENTS_CONTEND_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "experiments/contend_measure.h"
#include "experiments/pair_prediction.h"
#include "experiments/slow_down.h"

namespace edgewise {

enum class ContendMode {
  kBaseline,     // each app alone
  kPairwise,     // each pair of apps
  kRandom,       // deployments drawn at random
  kSensitivity,  // each app against stressors, and its own pressure
  kCheck,        // pairs predicted from sensitivity, then measured
};

// "baseline", "pairwise", "random", "sensitivity", "check".
std::string_view ContendModeName(ContendMode mode);

struct ContendRequest {
  ContendMode mode = ContendMode::kBaseline;
  ContendConditions conditions;
  std::string program;        // edgewise itself: stressors and probes
  std::vector<Actor> apps;    // who is looked at; at least one
  std::vector<Actor> beside;  // further neighbours, of pairwise and random
  // Of sensitivity and random.
  std::vector<StressKind> kinds{StressKind::kCpu, StressKind::kCache,
                                StressKind::kBandwidth};
  std::vector<double> dials{25, 50, 100};  // of sensitivity; above 0
  int repeat = 1;
  int deployments = 10;  // of random
  uint64_t seed = 1;
};

struct ContendApp {
  std::string name;
  std::vector<std::string> command;
  std::string span;  // its items; empty: the whole program
  ItemFigures alone;
  std::optional<double> cores_alone;
  std::optional<Pressure> pressure;  // of sensitivity and check
  std::string failure;  // why it could not be measured alone; or empty
};

struct ContendReport {
  ContendMode mode = ContendMode::kBaseline;
  std::string group;  // of all its Runs
  uint64_t seed = 0;
  int repeat = 0;
  int cores = 0;  // that all share
  std::vector<ContendApp> apps;
  std::vector<SlowDown> slow_downs;  // of the apps, in order of measurement
  std::vector<SlowDown> probes;      // likewise, of the probes
  std::optional<PredictionCheck> check;
  std::vector<std::string> advice;
  std::vector<std::string> warnings;
  bool cancelled = false;  // the rest was not measured
};

// Refuses what cannot work, in one sentence, before anything starts: no app,
// two of one name, a command that is not there, cores that may not be used.
Result<void> CheckContend(const ContendRequest& request);

// An app that fails at some points is kept, with the reason; an error is one
// of edgewise itself. No Store may be open in this process meanwhile.
Result<ContendReport> RunContend(const ContendRequest& request,
                                 const ContendListener& progress);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_CONTEND_H_
