// Which deployments a contention experiment measures, and in which order.
#ifndef EDGEWISE_EXPERIMENTS_CONTEND_PLAN_H_
#define EDGEWISE_EXPERIMENTS_CONTEND_PLAN_H_

#include <cstdint>
#include <vector>

#include "experiments/actor.h"

namespace edgewise {

// One deployment: a subject, and who is beside it. Alone it is a baseline.
struct Deployment {
  Actor subject;
  std::vector<Actor> beside;
  int repeat = 0;

  bool baseline() const { return beside.empty(); }
};

// Each app alone, `repeat` times, in rounds.
std::vector<Deployment> PlanBaselines(const std::vector<Actor>& apps,
                                      int repeat, uint64_t seed);

// The subject beside each of the neighbours, `repeat` times, in random order,
// with a baseline first, last and after every third: the machine drifts, and a
// slow-down is against the baselines around it.
std::vector<Deployment> PlanAgainst(const Actor& subject,
                                    const std::vector<Actor>& neighbours,
                                    int repeat, uint64_t seed);

// Every pair of apps, an app beside itself included, and every app beside each
// of `others`; in rounds, each in random order and with a baseline of each app
// before and after. Both sides of a pair of apps are measured at once.
std::vector<Deployment> PlanPairs(const std::vector<Actor>& apps,
                                  const std::vector<Actor>& others, int repeat,
                                  uint64_t seed);

// `count` deployments drawn at random: an app beside one or two of the apps,
// of `others`, or of stressors of these kinds at random dials. With baselines
// as in PlanAgainst.
std::vector<Deployment> PlanRandom(const std::vector<Actor>& apps,
                                   const std::vector<Actor>& others,
                                   const std::string& program,
                                   const std::vector<StressKind>& kinds,
                                   int count, uint64_t seed);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_CONTEND_PLAN_H_
