// How well response times beside neighbours are predicted: whole random
// deployments are held out in turn and predicted by every predictor.
#ifndef EDGEWISE_CONTENTION_EVALUATE_H_
#define EDGEWISE_CONTENTION_EVALUATE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "contention/predictor.h"
#include "contention/repeat_noise.h"
#include "contention/set_model.h"
#include "prediction/conformal.h"
#include "stats/quantile.h"

namespace edgewise::contention {

inline constexpr double kCoverage = 0.9;  // of the intervals that are judged

// One figure of one tenant of a deployment that had been held out.
struct Forecast {
  size_t observation = 0;
  size_t tenant = 0;
  double measured_ms = 0;
  std::optional<double> predicted_ms;  // nullopt: "never", which was wrong
};

// Shares as fractions.
struct FigureErrors {
  int64_t forecasts = 0;
  // |predicted ÷ measured - 1|, with 95% intervals over deployments; nullopt:
  // too few forecasts.
  std::optional<stats::Estimate> median_ape;
  std::optional<double> p90_ape;
  // The median of predicted ÷ measured, "never" being infinite.
  std::optional<stats::Estimate> median_ratio;
  // Of 90% intervals made from other deployments, and how wide they are.
  std::optional<double> coverage;
  std::optional<IntervalWidth> width;
  // Its median error ÷ that of the best published predictor.
  std::optional<stats::Estimate> against_published;
  std::vector<Forecast> held_out;
};

struct PredictorErrors {
  std::string name;
  bool published = false;
  std::array<FigureErrors, kFigures> figures;
  // Tenants that did not keep up, and of these how many were foretold.
  int64_t saturated = 0;
  int64_t foretold = 0;
  std::vector<size_t> unforetold;  // the apps of the others
  // Of p95 of tenants with a quota.
  int64_t with_quota = 0;
  std::optional<double> with_quota_median_ape;
};

struct ContentionEvaluation {
  int64_t random_deployments = 0;
  int64_t other_deployments = 0;
  int64_t folds = 0;
  RepeatNoise noise;
  std::vector<PredictorErrors> predictors;
};

struct EvaluateSettings {
  int folds = 10;
  uint64_t seed = 1;
  SetTraining set_training;
  int replays = 25;  // of each deployment in the simulator
};

// kInvalid: too few random deployments to hold any out, or an app without a
// measurement alone.
Result<ContentionEvaluation> EvaluateContention(
    const Campaign& campaign, const EvaluateSettings& settings);

// The same of one model alone, which is quick.
Result<PredictorErrors> EvaluatePressure(const Campaign& campaign,
                                         const EvaluateSettings& settings);
Result<PredictorErrors> EvaluateSharing(const Campaign& campaign,
                                        const EvaluateSettings& settings);

// All observations of a campaign.
Selection Everything(const Campaign& campaign);

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_EVALUATE_H_
