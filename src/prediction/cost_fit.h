// Fits what each unit of work costs on each run: a hierarchical model in which
// runs share a fleet's profile.
//
//   log ms(run, network) = log sum_k exp(rate(run, k)) * cost(network, k)
//                          + offset(network) + noise
//   rate(run, .) ~ Normal(mean, covariance)
//
// Noise is heavy-tailed (Student's t), so single wrong figures weigh little.
// Fitted by expectation-maximisation with Gauss-Newton steps; the same input
// gives the same output. Rates are exponentials, hence positive.
#ifndef EDGEWISE_PREDICTION_COST_FIT_H_
#define EDGEWISE_PREDICTION_COST_FIT_H_

#include <Eigen/Dense>
#include <vector>

#include "prediction/cost_terms.h"

namespace edgewise {

// Networks x kCostTerms.
Eigen::MatrixXd CostMatrix(const std::vector<CostVector>& costs);

// Log of milliseconds of every network (rows of `costs`) at given log rates.
Eigen::VectorXd LogTimes(const Eigen::MatrixXd& costs,
                         const Eigen::VectorXd& log_rates);

struct FleetProfile {
  Eigen::VectorXd mean;        // of log rates
  Eigen::MatrixXd covariance;  // of a run's log rates around the mean
  // By network: spread of the noise.
  Eigen::VectorXd noise;
};

struct CostFit {
  FleetProfile fleet;
  Eigen::MatrixXd log_rates;  // runs x terms
  // Sum over runs of the posterior covariance of their rates.
  Eigen::MatrixXd posterior_sum;
};

// `log_ms` (runs x networks) is NaN where nothing was measured.
CostFit FitCosts(const Eigen::MatrixXd& log_ms, const Eigen::MatrixXd& costs);

// The rates of one run with few measurements, held near `mean`. `log_ms` has
// one element a row of `costs`, NaN where not measured; `noise` likewise.
Eigen::VectorXd FitRun(const Eigen::VectorXd& log_ms,
                       const Eigen::MatrixXd& costs,
                       const Eigen::VectorXd& noise,
                       const Eigen::VectorXd& mean,
                       const Eigen::MatrixXd& covariance);

}  // namespace edgewise

#endif  // EDGEWISE_PREDICTION_COST_FIT_H_
