#include "contention/evaluate.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "contention/baselines.h"
#include "contention/error_figures.h"
#include "contention/fit_sharing.h"
#include "contention/median.h"
#include "contention/pressure_figures.h"
#include "contention/pressure_predictor.h"
#include "contention/simulator.h"
#include "stats/random.h"

namespace edgewise::contention {
namespace {

constexpr int64_t kLeastRandom = 10;

using Fitted = std::vector<std::unique_ptr<ContentionPredictor>>;

std::unique_ptr<ContentionPredictor> FitSimulator(const Campaign& campaign,
                                                  const Selection& rows,
                                                  const Sharing& sharing,
                                                  int replays) {
  std::vector<double> cores;
  for (const Server& server : campaign.servers) {
    cores.push_back(server.cores);
  }
  return std::make_unique<Simulator>(FiguresFrom(campaign, rows, sharing),
                                     RanksOf(sharing), std::move(cores),
                                     replays);
}

Result<Fitted> FitAll(const Campaign& campaign, const Selection& rows,
                      const EvaluateSettings& settings) {
  Fitted fitted;
  const auto sharing = FitSharing(campaign, rows);
  if (!sharing) {
    return sharing.error();
  }
  fitted.push_back(std::make_unique<SharingPredictor>(*sharing));
  fitted.push_back(
      std::make_unique<PressurePredictor>(campaign, rows, *sharing));
  fitted.push_back(FitSimulator(campaign, rows, *sharing, settings.replays));
  auto set = FitSetModel(campaign, rows, settings.set_training);
  if (!set) {
    return set.error();
  }
  fitted.push_back(std::move(*set));
  fitted.push_back(FitPerx(campaign, rows));
  fitted.push_back(FitScaloRan(campaign, rows));
  return fitted;
}

// The fold of each observation; a deployment and its repeats share one. Only
// random ones have any.
std::vector<std::optional<size_t>> Folds(const Campaign& campaign, size_t folds,
                                         uint64_t seed) {
  std::map<std::string, size_t> groups;
  for (const Observation& each : campaign.observations) {
    if (each.kind == Kind::kRandom) {
      groups.emplace(each.repeat_of.empty() ? each.id : each.repeat_of, 0);
    }
  }
  std::vector<size_t> order(groups.size());
  std::iota(order.begin(), order.end(), size_t{0});
  stats::Random random(seed);
  for (size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[random.Below(i)]);
  }
  size_t next = 0;
  for (auto& [id, fold] : groups) {
    fold = order[next++] % folds;
  }
  std::vector<std::optional<size_t>> of;
  for (const Observation& each : campaign.observations) {
    of.push_back(each.kind == Kind::kRandom
                     ? std::optional(groups.at(
                           each.repeat_of.empty() ? each.id : each.repeat_of))
                     : std::nullopt);
  }
  return of;
}

void Record(const Campaign& campaign, size_t index,
            const ContentionPredictor& predictor, PredictorErrors* errors) {
  const Observation& observation = campaign.observations[index];
  const auto predictions = predictor.Predict(observation.deployment);
  for (size_t t = 0; t < observation.outcomes.size(); ++t) {
    const Outcome& outcome = observation.outcomes[t];
    if (outcome.saturated) {
      ++errors->saturated;
      if (predictions[t]) {
        errors->unforetold.push_back(observation.deployment.tenants[t].app);
      } else {
        ++errors->foretold;
      }
      continue;
    }
    for (size_t f = 0; f < kFigures; ++f) {
      if (outcome.response_ms[f]) {
        errors->figures[f].held_out.push_back(
            {index, t, *outcome.response_ms[f],
             predictions[t] ? std::optional((*predictions[t])[f])
                            : std::nullopt});
      }
    }
  }
}

void SumUpQuotas(const Campaign& campaign,
                 std::vector<PredictorErrors>* predictors) {
  for (PredictorErrors& predictor : *predictors) {
    std::vector<double> apes;
    for (const Forecast& forecast : predictor.figures[kP95].held_out) {
      const Deployment& of =
          campaign.observations[forecast.observation].deployment;
      if (of.tenants[forecast.tenant].quota_cores) {
        apes.push_back(Ape(forecast));
      }
    }
    predictor.with_quota = static_cast<int64_t>(apes.size());
    if (apes.size() >= kLeastForecasts) {
      predictor.with_quota_median_ape = Median(apes);
    }
  }
}

// Fits to all but one fold, in turn, and records what that says of the fold.
Result<std::vector<PredictorErrors>> HoldOut(
    const Campaign& campaign, const EvaluateSettings& settings,
    const std::function<Result<Fitted>(const Selection&)>& fit) {
  const auto random = std::count_if(
      campaign.observations.begin(), campaign.observations.end(),
      [](const Observation& each) { return each.kind == Kind::kRandom; });
  if (random < kLeastRandom) {
    return Error{ErrorCode::kInvalid,
                 "there are " + std::to_string(random) +
                     " random deployments to hold out, which is too few: "
                     "measure at least 10 with edgewise contend random"};
  }
  std::vector<PredictorErrors> predictors;
  const auto folds = static_cast<size_t>(settings.folds);
  const auto fold_of = Folds(campaign, folds, settings.seed);
  for (size_t fold = 0; fold < folds; ++fold) {
    Selection seen;
    Selection held_out;
    for (size_t i = 0; i < fold_of.size(); ++i) {
      (fold_of[i] == fold ? held_out : seen).push_back(i);
    }
    const auto fitted = fit(seen);
    if (!fitted) {
      return fitted.error();
    }
    predictors.resize(fitted->size());
    for (size_t p = 0; p < fitted->size(); ++p) {
      predictors[p].name = (*fitted)[p]->Name();
      predictors[p].published = (*fitted)[p]->Published();
      for (const size_t index : held_out) {
        Record(campaign, index, *(*fitted)[p], &predictors[p]);
      }
    }
  }
  SumUpErrors(settings.seed, &predictors);
  SumUpQuotas(campaign, &predictors);
  return predictors;
}

// Of what `make` makes of a fitted Sharing.
template <typename Make>
Result<PredictorErrors> EvaluateOne(const Campaign& campaign,
                                    const EvaluateSettings& settings,
                                    const Make& make) {
  const auto fit = [&](const Selection& rows) -> Result<Fitted> {
    const auto sharing = FitSharing(campaign, rows);
    if (!sharing) {
      return sharing.error();
    }
    Fitted fitted;
    fitted.push_back(make(rows, *sharing));
    return fitted;
  };
  auto errors = HoldOut(campaign, settings, fit);
  if (!errors) {
    return errors.error();
  }
  return std::move(errors->front());
}

}  // namespace

Selection Everything(const Campaign& campaign) {
  Selection all(campaign.observations.size());
  std::iota(all.begin(), all.end(), size_t{0});
  return all;
}

Result<ContentionEvaluation> EvaluateContention(
    const Campaign& campaign, const EvaluateSettings& settings) {
  ContentionEvaluation evaluation;
  for (const Observation& each : campaign.observations) {
    ++(each.kind == Kind::kRandom ? evaluation.random_deployments
                                  : evaluation.other_deployments);
  }
  const auto fit_all = [&](const Selection& rows) {
    return FitAll(campaign, rows, settings);
  };
  auto errors = HoldOut(campaign, settings, fit_all);
  if (!errors) {
    return errors.error();
  }
  evaluation.predictors = std::move(*errors);
  evaluation.folds = settings.folds;
  evaluation.noise = FindRepeatNoise(campaign);
  return evaluation;
}

Result<PredictorErrors> EvaluatePressure(const Campaign& campaign,
                                         const EvaluateSettings& settings) {
  return EvaluateOne(
      campaign, settings, [&](const Selection& rows, const Sharing& sharing) {
        return std::make_unique<PressurePredictor>(campaign, rows, sharing);
      });
}

Result<PredictorErrors> EvaluateSharing(const Campaign& campaign,
                                        const EvaluateSettings& settings) {
  return EvaluateOne(campaign, settings,
                     [](const Selection&, const Sharing& sharing) {
                       return std::make_unique<SharingPredictor>(sharing);
                     });
}

}  // namespace edgewise::contention
