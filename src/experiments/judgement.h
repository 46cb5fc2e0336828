// Whether a target is met, with a stated confidence, by what Runs showed.
#ifndef EDGEWISE_EXPERIMENTS_JUDGEMENT_H_
#define EDGEWISE_EXPERIMENTS_JUDGEMENT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/target.h"
#include "stats/quantile.h"

namespace edgewise {

// What one Run tells about one target.
struct TargetSamples {
  // In the order of time. Rates: items a second in equal windows; times of
  // spans (of jobs from release to end), or the wall time, in ns.
  std::vector<double> samples;
  int64_t items = 0;   // spans or jobs; 1 for the whole program
  int64_t misses = 0;  // deadlines, of kMisses
};

enum class Standing {
  kMet,        // at the stated confidence
  kNotMet,     // at the stated confidence
  kUndecided,  // neither can be said yet
};

struct Judgement {
  Standing standing = Standing::kUndecided;
  // In the unit of Target::limit. Each end holds alone at the confidence, and
  // is absent where the samples do not support it; nullopt without samples.
  std::optional<stats::Estimate> figure;
  // How far the figure itself is on the good side: ln of its ratio to the
  // limit; negative on the bad one. 0 without a figure.
  double lead = 0;
};

// An app that is offered exactly the asked rate never exceeds it: a rate counts
// as met from this share of it on.
inline constexpr double kRateShare = 0.99;

// Judges one target by one or more Runs under the same conditions. Means and
// rates by Student's t, with the spread between Runs where it exceeds that
// within them; quantiles by ranks, allowing for autocorrelation; misses by
// Wilson's interval. `max`, and misses of 0%, are met if nothing seen exceeds
// them, which bounds nothing beyond what was seen. One wall time alone decides
// nothing. Needs 0.5 < confidence < 1.
Judgement Judge(const Target& target, std::span<const TargetSamples> runs,
                double confidence);

// All of them: met if all are, not met if one is not; the lead is that of the
// worst.
struct JointJudgement {
  Standing standing = Standing::kUndecided;
  std::vector<Judgement> each;  // in the order of the targets
  double lead = 0;
};
// runs[i][j]: of Run i for target j.
JointJudgement JudgeAll(std::span<const Target> targets,
                        std::span<const std::vector<TargetSamples>> runs,
                        double confidence);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_JUDGEMENT_H_
