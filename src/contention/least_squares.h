// Non-linear least squares for a few dozen parameters.
#ifndef EDGEWISE_CONTENTION_LEAST_SQUARES_H_
#define EDGEWISE_CONTENTION_LEAST_SQUARES_H_

#include <Eigen/Dense>
#include <functional>

namespace edgewise::contention {

// Writes all residuals at `parameters`; always as many, always finite.
using Residuals = std::function<void(const Eigen::VectorXd& parameters,
                                     Eigen::VectorXd& residuals)>;
// The same where only parameter `k` has moved since `residuals` were written:
// those that do not depend on it may be left as they are.
using MovedResiduals =
    std::function<void(const Eigen::VectorXd& parameters, Eigen::Index k,
                       Eigen::VectorXd& residuals)>;

// Levenberg and Marquardt's steps from `start`, with differences for
// derivatives. What should stay near a value is given as a residual of its own.
// Without `moved`, all residuals are asked for.
Eigen::VectorXd MinimiseSquares(const Residuals& residuals,
                                Eigen::VectorXd start, int most_steps,
                                const MovedResiduals& moved = nullptr);

// A residual whose weight fades beyond `scale`, so that single wrong figures
// pull little (the pseudo-Huber loss as a square).
double Robust(double residual, double scale);

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_LEAST_SQUARES_H_
