#include "prediction/coarse_model.h"

#include <algorithm>
#include <cmath>

namespace edgewise {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kRounds = 60;
// Pulls exponents towards 0, in measurements per unit of variance.
constexpr double kRidge = 0.02;
// Beyond the known range by this factor is another world.
const double kFarBeyond = std::log(10.0);
// A year, as logarithm of milliseconds; keeps answers finite.
const double kLongestLogMs = std::log(3.15e10);

}  // namespace

double CoarseModel::LogTime(const CoarseVector& terms, double level) const {
  double sum = level;
  for (size_t k = 0; k < kCoarseTerms; ++k) {
    sum += exponents[k] * terms[k];
  }
  return std::min(sum, kLongestLogMs);
}

bool CoarseModel::OutOfDistribution(const CoarseVector& terms) const {
  for (size_t k = 0; k < kCoarseTerms; ++k) {
    if (terms[k] < least[k] - kFarBeyond || terms[k] > most[k] + kFarBeyond) {
      return true;
    }
  }
  return false;
}

std::optional<double> CoarseLevel(const CoarseModel& model,
                                  const VectorXd& log_ms,
                                  const CoarseTable& terms) {
  std::vector<double> rests;
  for (size_t n = 0; n < terms.size(); ++n) {
    const double y = log_ms[static_cast<Index>(n)];
    if (terms[n] && !std::isnan(y)) {
      rests.push_back(y - model.LogTime(*terms[n], 0));
    }
  }
  if (rests.empty()) {
    return std::nullopt;
  }
  const auto middle =
      rests.begin() + static_cast<std::ptrdiff_t>(rests.size() / 2);
  std::nth_element(rests.begin(), middle, rests.end());
  return *middle;
}

CoarseModel FitCoarse(const MatrixXd& log_ms, const CoarseTable& terms) {
  CoarseModel model;
  model.least.fill(1e300);
  model.most.fill(-1e300);
  for (const auto& row : terms) {
    for (size_t k = 0; row && k < kCoarseTerms; ++k) {
      model.least[k] = std::min(model.least[k], (*row)[k]);
      model.most[k] = std::max(model.most[k], (*row)[k]);
    }
  }
  // Levels and exponents in turns; exponents one by one, cut off at 0.
  const auto runs = static_cast<size_t>(log_ms.rows());
  std::vector<double> levels(runs, 0.0);
  for (int round = 0; round < kRounds; ++round) {
    for (size_t r = 0; r < runs; ++r) {
      levels[r] =
          CoarseLevel(model, log_ms.row(static_cast<Index>(r)).transpose(),
                      terms)
              .value_or(0);
    }
    for (size_t k = 0; k < kCoarseTerms; ++k) {
      double gain = 0;
      double size = 0;
      double count = 0;
      const double middle = (model.least[k] + model.most[k]) / 2;
      for (size_t r = 0; r < runs; ++r) {
        for (size_t n = 0; n < terms.size(); ++n) {
          const double y = log_ms(static_cast<Index>(r), static_cast<Index>(n));
          if (!terms[n] || std::isnan(y)) {
            continue;
          }
          const double x = (*terms[n])[k] - middle;
          gain += x * (y - model.LogTime(*terms[n], levels[r]));
          size += x * x;
          ++count;
        }
      }
      if (size > 0) {
        model.exponents[k] = std::max(
            0.0, (model.exponents[k] * size + gain) / (size + kRidge * count));
      }
    }
  }
  return model;
}

}  // namespace edgewise
