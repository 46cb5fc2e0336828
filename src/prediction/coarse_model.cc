#include "prediction/coarse_model.h"

#include <algorithm>
#include <cmath>

namespace edgewise {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kRounds = 200;
// Pulls exponents towards 0, in measurements per unit of variance.
constexpr double kRidge = 0.02;
// Beyond the known range by this factor is another world.
const double kFarBeyond = std::log(10.0);
// A year, as logarithm of milliseconds; keeps answers finite.
const double kLongestLogMs = std::log(3.15e10);

// Sums of products of terms, and of terms and times.
struct NormalEquations {
  std::array<CoarseVector, kCoarseTerms> size{};
  CoarseVector gain{};
  double count = 0;
};

// Terms and times relative to their means within each run, which levels would
// absorb.
NormalEquations WithinRuns(const MatrixXd& log_ms, const CoarseTable& terms) {
  NormalEquations sums;
  for (Index r = 0; r < log_ms.rows(); ++r) {
    CoarseVector mean{};
    double mean_y = 0;
    double count = 0;
    const auto each = [&](const auto& visit) {
      for (size_t n = 0; n < terms.size(); ++n) {
        const double y = log_ms(r, static_cast<Index>(n));
        if (terms[n] && !std::isnan(y)) {
          visit(*terms[n], y);
        }
      }
    };
    each([&](const CoarseVector& x, double y) {
      for (size_t k = 0; k < kCoarseTerms; ++k) {
        mean[k] += x[k];
      }
      mean_y += y;
      ++count;
    });
    each([&](const CoarseVector& x, double y) {
      for (size_t k = 0; k < kCoarseTerms; ++k) {
        const double from_mean = x[k] - mean[k] / count;
        sums.gain[k] += from_mean * (y - mean_y / count);
        for (size_t j = 0; j < kCoarseTerms; ++j) {
          sums.size[k][j] += from_mean * (x[j] - mean[j] / count);
        }
      }
    });
    sums.count += count;
  }
  return sums;
}

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
  bool any = false;
  for (const auto& row : terms) {
    for (size_t k = 0; row && k < kCoarseTerms; ++k) {
      model.least[k] = any ? std::min(model.least[k], (*row)[k]) : (*row)[k];
      model.most[k] = any ? std::max(model.most[k], (*row)[k]) : (*row)[k];
    }
    any = any || row.has_value();
  }
  const NormalEquations equations = WithinRuns(log_ms, terms);
  // Least squares with exponents from 0, one exponent at a time: the problem
  // is convex, so that ends at its one solution.
  for (int round = 0; round < kRounds; ++round) {
    for (size_t k = 0; k < kCoarseTerms; ++k) {
      double gain = equations.gain[k];
      for (size_t j = 0; j < kCoarseTerms; ++j) {
        if (j != k) {
          gain -= equations.size[k][j] * model.exponents[j];
        }
      }
      model.exponents[k] = std::max(
          0.0, gain / (equations.size[k][k] + kRidge * equations.count + 1e-9));
    }
  }
  return model;
}

}  // namespace edgewise
