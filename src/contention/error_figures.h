// Errors of held-out forecasts, summed up.
#ifndef EDGEWISE_CONTENTION_ERROR_FIGURES_H_
#define EDGEWISE_CONTENTION_ERROR_FIGURES_H_

#include <vector>

#include "contention/evaluate.h"

namespace edgewise::contention {

// Fewer say nothing.
inline constexpr size_t kLeastForecasts = 20;

// Fills in all but names and forecasts. Intervals come from drawing
// deployments anew, since what one deployment's tenants suffer goes together.
void SumUpErrors(uint64_t seed, std::vector<PredictorErrors>* predictors);

// |predicted ÷ measured - 1|; infinite for "never".
double Ape(const Forecast& forecast);

// Logarithms of predicted ÷ measured, grouped by deployment; those without a
// prediction left out.
std::vector<Miss> MissesOf(const std::vector<Forecast>& forecasts);

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_ERROR_FIGURES_H_
