// The least part of promised delays that has to be used up.
#ifndef EDGEWISE_ORCHESTRATION_TAIL_H_
#define EDGEWISE_ORCHESTRATION_TAIL_H_

#include <functional>

#include "orchestration/optimise.h"

namespace edgewise::orchestration {

// The largest upper end of a predicted quantile ÷ its delay; 0 if nothing is
// placed, above 1 where a promise is broken, infinite where answers never come.
double WorstPart(const Problem& problem, const Assignment& assignment);

struct TailAnswer {
  Assignment assignment;
  double worst_part = 0;
  // No placement that earns as much uses up less; 0: nothing is proven.
  double bound = 0;
};

// Delays are cut by a factor until `start`, which keeps all promises, cannot be
// matched in revenue: found so within the time, or proven so by the bound on
// revenue.
TailAnswer LowerTail(const Problem& problem, const Assignment& start,
                     const OptimiseSettings& settings, double seconds);

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_TAIL_H_
