#include "contention/least_squares.h"

#include <algorithm>
#include <cmath>

namespace edgewise::contention {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kDifference = 1e-4;
constexpr double kEnough = 1e-6;  // relative gain of a step
constexpr int kMostRefusals = 8;

MatrixXd Slopes(const MovedResiduals& residuals, const VectorXd& at,
                const VectorXd& here) {
  MatrixXd slopes(here.size(), at.size());
  VectorXd moved = at;
  VectorXd there;
  for (Index k = 0; k < at.size(); ++k) {
    moved(k) = at(k) + kDifference;
    there = here;
    residuals(moved, k, there);
    slopes.col(k) = (there - here) / kDifference;
    moved(k) = at(k);
  }
  return slopes;
}

}  // namespace

VectorXd MinimiseSquares(const Residuals& residuals, VectorXd start,
                         int most_steps, const MovedResiduals& moved) {
  const MovedResiduals all = [&residuals](const VectorXd& at, Index,
                                          VectorXd& to) { residuals(at, to); };
  VectorXd here;
  residuals(start, here);
  double cost = here.squaredNorm();
  double damping = 1e-2;
  VectorXd there;
  for (int step = 0; step < most_steps; ++step) {
    const MatrixXd slopes = Slopes(moved ? moved : all, start, here);
    const MatrixXd normal = slopes.transpose() * slopes;
    const VectorXd downhill = -slopes.transpose() * here;
    double gain = -1;
    for (int refusals = 0; gain < 0 && refusals < kMostRefusals; ++refusals) {
      MatrixXd damped = normal;
      damped.diagonal().array() +=
          damping * normal.diagonal().array().max(1e-9);
      const VectorXd next = start + damped.ldlt().solve(downhill);
      residuals(next, there);
      const double next_cost = there.squaredNorm();
      if (next_cost < cost) {
        gain = (cost - next_cost) / cost;
        start = next;
        here = there;
        cost = next_cost;
        damping = std::max(1e-7, damping / 5);
      } else {
        damping *= 4;
      }
    }
    if (gain < kEnough) {
      break;
    }
  }
  return start;
}

double Robust(double residual, double scale) {
  const double part = residual / scale;
  const double root = scale * std::sqrt(2 * (std::sqrt(1 + part * part) - 1));
  return residual < 0 ? -root : root;
}

}  // namespace edgewise::contention
