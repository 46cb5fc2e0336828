#include "prediction/cost_fit.h"

#include <algorithm>
#include <cmath>

namespace edgewise {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kRounds = 40;
constexpr int kFirstRounds = 4;  // with more steps each
constexpr int kFirstSteps = 6;
constexpr int kSteps = 3;
constexpr int kRunSteps = 12;
// Student's t at the end. Rounds start with noise that is all but normal: what
// is unlike the fleet at first sight (one kind of layer, ten times slower)
// would else pass for wrong figures and never move a rate.
constexpr double kDegreesOfFreedom = 2;
constexpr double kNormalDegrees = 1000;
constexpr int kNormalRounds = 6;
constexpr int kTemperedRounds = 4;
constexpr double kTempering = 4;  // factor between two of these
// Noise of a network before there is evidence, and how many measurements that
// belief weighs.
constexpr double kPriorNoise = 0.3;
constexpr double kPriorNoiseWeight = 20;
// The same of the spread of a rate between runs.
constexpr double kPriorSpread = 0.15;
constexpr double kPriorSpreadWeight = 8;
// Of what a network takes on all runs alike beyond its costs, so much is
// believed; the rest must be explained by rates.
constexpr double kOffsetShare = 0.5;
// Longest Gauss-Newton step in any log rate.
constexpr double kLongestStep = 1.0;

VectorXd Priors() {
  VectorXd priors(kCostTerms);
  for (size_t k = 0; k < kCostTerms; ++k) {
    priors[static_cast<Index>(k)] = CostTermPrior(static_cast<CostTerm>(k));
  }
  return priors;
}

double Median(std::vector<double> values) {
  const auto middle =
      values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double DegreesOfFreedom(int round) {
  if (round < kNormalRounds) {
    return kNormalDegrees;
  }
  const int left = std::max(kNormalRounds + kTemperedRounds - round, 0);
  return kDegreesOfFreedom * std::pow(kTempering, left);
}

// The weight of a residual under Student's t.
double Weight(double residual, double noise, double degrees) {
  const double z = residual / noise;
  return (degrees + 1) / (degrees + z * z) / (noise * noise);
}

// One Gauss-Newton step of a run's rates towards the most likely ones.
struct Step {
  VectorXd move;
  MatrixXd precision;
};
Step NextStep(const VectorXd& log_ms, const MatrixXd& costs,
              const VectorXd& offset, const VectorXd& noise, double degrees,
              const VectorXd& mean, const MatrixXd& prior_precision,
              const VectorXd& log_rates) {
  const VectorXd rates = log_rates.array().exp();
  const VectorXd times = costs * rates;
  // Shares of the terms in each network's time: the derivative of its log.
  MatrixXd shares = costs * rates.asDiagonal();
  shares.array().colwise() /= times.array();
  VectorXd weights = VectorXd::Zero(log_ms.size());
  VectorXd residuals = weights;
  for (Index n = 0; n < log_ms.size(); ++n) {
    if (!std::isnan(log_ms[n])) {
      residuals[n] = log_ms[n] - std::log(times[n]) - offset[n];
      weights[n] = Weight(residuals[n], noise[n], degrees);
    }
  }
  Step step;
  step.precision =
      shares.transpose() * weights.asDiagonal() * shares + prior_precision;
  const VectorXd gradient =
      shares.transpose() * weights.cwiseProduct(residuals) -
      prior_precision * (log_rates - mean);
  step.move = step.precision.ldlt().solve(gradient);
  const double longest = step.move.cwiseAbs().maxCoeff();
  if (longest > kLongestStep) {
    step.move *= kLongestStep / longest;
  }
  return step;
}

// Where a run's level starts: rates as usual, times a common factor.
double StartLevel(const VectorXd& log_ms, const VectorXd& usual) {
  std::vector<double> levels;
  for (Index n = 0; n < log_ms.size(); ++n) {
    if (!std::isnan(log_ms[n])) {
      levels.push_back(log_ms[n] - usual[n]);
    }
  }
  return levels.empty() ? 0 : Median(std::move(levels));
}

// The state of the expectation-maximisation.
class Fitting {
 public:
  Fitting(const MatrixXd& log_ms, const MatrixXd& costs)
      : log_ms_(log_ms),
        costs_(costs),
        priors_(Priors()),
        offset_(VectorXd::Zero(costs.rows())) {
    const auto terms = static_cast<Index>(kCostTerms);
    fit_.fleet.noise = VectorXd::Constant(costs.rows(), kPriorNoise);
    fit_.fleet.covariance = MatrixXd::Constant(terms, terms, 1.0) +
                            0.5 * MatrixXd::Identity(terms, terms);
    fit_.log_rates.resize(log_ms.rows(), terms);
    const VectorXd usual = LogTimes(costs, priors_);
    std::vector<double> levels;
    for (Index r = 0; r < log_ms.rows(); ++r) {
      levels.push_back(StartLevel(log_ms.row(r).transpose(), usual));
      fit_.log_rates.row(r) = priors_.transpose().array() + levels.back();
    }
    fit_.fleet.mean = priors_.array() + Median(levels);
  }

  CostFit Run() {
    for (int round = 0; round < kRounds; ++round) {
      degrees_ = DegreesOfFreedom(round);
      FitRuns(round < kFirstRounds ? kFirstSteps : kSteps);
      UpdateFleet();
      UpdateNoise();
    }
    return fit_;
  }

 private:
  void FitRuns(int steps) {
    const MatrixXd precision = fit_.fleet.covariance.inverse();
    const auto terms = static_cast<Index>(kCostTerms);
    fit_.posterior_sum = MatrixXd::Zero(terms, terms);
    for (Index r = 0; r < log_ms_.rows(); ++r) {
      VectorXd rates = fit_.log_rates.row(r).transpose();
      Step step;
      for (int i = 0; i < steps; ++i) {
        step = NextStep(log_ms_.row(r).transpose(), costs_, offset_,
                        fit_.fleet.noise, degrees_, fit_.fleet.mean, precision,
                        rates);
        rates += step.move;
      }
      fit_.log_rates.row(r) = rates.transpose();
      fit_.posterior_sum += step.precision.inverse();
    }
  }

  void UpdateFleet() {
    const auto runs = static_cast<double>(log_ms_.rows());
    const auto terms = static_cast<Index>(kCostTerms);
    const MatrixXd precision = fit_.fleet.covariance.inverse();
    const VectorXd start =
        priors_.array() +
        (fit_.log_rates.rowwise() - priors_.transpose()).mean();
    const VectorXd sum = fit_.log_rates.colwise().sum().transpose();
    fit_.fleet.mean = (runs * precision + MatrixXd::Identity(terms, terms))
                          .ldlt()
                          .solve(precision * sum + start);
    const MatrixXd spread =
        fit_.log_rates.rowwise() - fit_.fleet.mean.transpose();
    fit_.fleet.covariance =
        (spread.transpose() * spread + fit_.posterior_sum +
         kPriorSpreadWeight * kPriorSpread * MatrixXd::Identity(terms, terms)) /
        (runs + kPriorSpreadWeight);
  }

  void UpdateNoise() {
    const Index networks = costs_.rows();
    MatrixXd residuals(log_ms_.rows(), networks);
    for (Index r = 0; r < log_ms_.rows(); ++r) {
      residuals.row(r) =
          log_ms_.row(r) -
          LogTimes(costs_, fit_.log_rates.row(r).transpose()).transpose();
    }
    for (Index n = 0; n < networks; ++n) {
      double& noise = fit_.fleet.noise[n];
      double weight = 0;
      double weighted = 0;
      double count = 0;
      for (Index r = 0; r < residuals.rows(); ++r) {
        if (!std::isnan(residuals(r, n))) {
          const double w =
              Weight(residuals(r, n) - offset_[n], noise, degrees_);
          weight += w;
          weighted += w * residuals(r, n);
          ++count;
        }
      }
      const double before = offset_[n];
      offset_[n] = weight > 0 ? kOffsetShare * weighted / weight : 0;
      double squares = kPriorNoiseWeight * kPriorNoise * kPriorNoise;
      for (Index r = 0; r < residuals.rows(); ++r) {
        if (!std::isnan(residuals(r, n))) {
          const double w = Weight(residuals(r, n) - before, noise, degrees_);
          const double rest = residuals(r, n) - offset_[n];
          squares += rest * rest * w * noise * noise;
        }
      }
      noise = std::sqrt(squares / (count + kPriorNoiseWeight));
    }
  }

  const MatrixXd& log_ms_;
  const MatrixXd& costs_;
  const VectorXd priors_;
  VectorXd offset_;
  double degrees_ = kNormalDegrees;
  CostFit fit_;
};

}  // namespace

MatrixXd CostMatrix(const std::vector<CostVector>& costs) {
  MatrixXd matrix(static_cast<Index>(costs.size()),
                  static_cast<Index>(kCostTerms));
  for (size_t n = 0; n < costs.size(); ++n) {
    for (size_t k = 0; k < kCostTerms; ++k) {
      matrix(static_cast<Index>(n), static_cast<Index>(k)) = costs[n][k];
    }
  }
  return matrix;
}

VectorXd LogTimes(const MatrixXd& costs, const VectorXd& log_rates) {
  const VectorXd rates = log_rates.array().exp();
  return (costs * rates).array().log();
}

CostFit FitCosts(const MatrixXd& log_ms, const MatrixXd& costs) {
  return Fitting(log_ms, costs).Run();
}

VectorXd FitRun(const VectorXd& log_ms, const MatrixXd& costs,
                const VectorXd& noise, const VectorXd& mean,
                const MatrixXd& covariance) {
  const MatrixXd precision = covariance.inverse();
  const VectorXd none = VectorXd::Zero(log_ms.size());
  VectorXd rates = mean;
  for (int i = 0; i < kRunSteps; ++i) {
    rates += NextStep(log_ms, costs, none, noise, kDegreesOfFreedom, mean,
                      precision, rates)
                 .move;
  }
  return rates;
}

}  // namespace edgewise
