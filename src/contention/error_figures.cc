#include "contention/error_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "contention/median.h"
#include "stats/random.h"

namespace edgewise::contention {
namespace {

constexpr int kDraws = 500;
constexpr double kLow = 0.025;
constexpr double kHigh = 0.975;

double Ratio(const Forecast& forecast) {
  return forecast.predicted_ms ? *forecast.predicted_ms / forecast.measured_ms
                               : std::numeric_limits<double>::infinity();
}

// Figures by deployment, in the order of deployments.
using Grouped = std::vector<std::vector<double>>;

Grouped GroupBy(double (*figure)(const Forecast&),
                const std::vector<Forecast>& forecasts) {
  std::map<size_t, std::vector<double>> groups;
  for (const Forecast& forecast : forecasts) {
    groups[forecast.observation].push_back(figure(forecast));
  }
  Grouped grouped;
  for (auto& [observation, figures] : groups) {
    grouped.push_back(std::move(figures));
  }
  return grouped;
}

double MedianOf(const Grouped& grouped, const std::vector<size_t>& drawn) {
  std::vector<double> all;
  for (const size_t group : drawn) {
    all.insert(all.end(), grouped[group].begin(), grouped[group].end());
  }
  return AtPart(std::move(all), 0.5);
}

// Medians of the same drawn deployments for every predictor, so that their
// ratios are fair.
std::vector<std::vector<double>> DrawnMedians(
    const std::vector<Grouped>& grouped, uint64_t seed) {
  stats::Random random(seed);
  const size_t groups = grouped.front().size();
  std::vector<std::vector<double>> medians(grouped.size());
  std::vector<size_t> drawn(groups);
  for (int draw = 0; draw < kDraws; ++draw) {
    for (size_t& group : drawn) {
      group = random.Below(groups);
    }
    for (size_t p = 0; p < grouped.size(); ++p) {
      medians[p].push_back(MedianOf(grouped[p], drawn));
    }
  }
  return medians;
}

stats::Estimate WithInterval(double value, const std::vector<double>& drawn) {
  return {value, AtPart(drawn, kLow), AtPart(drawn, kHigh)};
}

std::vector<double> All(const Grouped& grouped) {
  std::vector<double> all;
  for (const std::vector<double>& group : grouped) {
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

void SumUpRatios(size_t figure, uint64_t seed,
                 std::vector<PredictorErrors>* predictors) {
  std::vector<Grouped> grouped;
  for (const PredictorErrors& predictor : *predictors) {
    grouped.push_back(GroupBy(Ratio, predictor.figures[figure].held_out));
  }
  const auto drawn = DrawnMedians(grouped, seed);
  for (size_t p = 0; p < predictors->size(); ++p) {
    (*predictors)[p].figures[figure].median_ratio =
        WithInterval(AtPart(All(grouped[p]), 0.5), drawn[p]);
  }
}

void SumUpFigure(size_t figure, uint64_t seed,
                 std::vector<PredictorErrors>* predictors) {
  std::vector<Grouped> grouped;
  std::vector<double> medians;
  size_t best = predictors->size();  // of the published
  for (size_t p = 0; p < predictors->size(); ++p) {
    FigureErrors& errors = (*predictors)[p].figures[figure];
    errors.forecasts = static_cast<int64_t>(errors.held_out.size());
    if (errors.held_out.size() < kLeastForecasts) {
      return;
    }
    grouped.push_back(GroupBy(Ape, errors.held_out));
    const std::vector<double> apes = All(grouped.back());
    medians.push_back(AtPart(apes, 0.5));
    errors.p90_ape = AtPart(apes, 0.9);
    const std::vector<Miss> misses = MissesOf(errors.held_out);
    errors.width = ConformalWidth(misses, kCoverage);
    errors.coverage = CrossCoverage(misses, kCoverage);
    if ((*predictors)[p].published &&
        (best == predictors->size() || medians[p] < medians[best])) {
      best = p;
    }
  }
  SumUpRatios(figure, seed, predictors);
  const auto drawn = DrawnMedians(grouped, seed);
  for (size_t p = 0; p < predictors->size(); ++p) {
    FigureErrors& errors = (*predictors)[p].figures[figure];
    errors.median_ape = WithInterval(medians[p], drawn[p]);
    if (best < predictors->size() && !(*predictors)[p].published) {
      std::vector<double> ratios;
      for (int draw = 0; draw < kDraws; ++draw) {
        const auto d = static_cast<size_t>(draw);
        ratios.push_back(drawn[p][d] / drawn[best][d]);
      }
      errors.against_published =
          WithInterval(medians[p] / medians[best], ratios);
    }
  }
}

}  // namespace

double Ape(const Forecast& forecast) { return std::abs(Ratio(forecast) - 1); }

std::vector<Miss> MissesOf(const std::vector<Forecast>& forecasts) {
  std::vector<Miss> misses;
  for (const Forecast& forecast : forecasts) {
    if (forecast.predicted_ms) {
      misses.push_back({std::log(*forecast.predicted_ms / forecast.measured_ms),
                        std::to_string(forecast.observation)});
    }
  }
  return misses;
}

void SumUpErrors(uint64_t seed, std::vector<PredictorErrors>* predictors) {
  for (size_t f = 0; f < kFigures; ++f) {
    SumUpFigure(f, seed, predictors);
  }
}

}  // namespace edgewise::contention
