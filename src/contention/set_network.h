// The layers of the set model, with their derivatives.
//
//   pooled_k = sum over others j of replicas_j · (rate_j · e^E_jk + e^F_jk)
//   inner    = e^W · pooled + U · T_own + e^V · rate_own · e^G_own + c
//   log ms   = e^O · softplus(inner) + B_own
//
// Exponentials keep what stands between a load and the outcome positive.
#ifndef EDGEWISE_CONTENTION_SET_NETWORK_H_
#define EDGEWISE_CONTENTION_SET_NETWORK_H_

#include <Eigen/Dense>

#include "contention/campaign.h"

namespace edgewise::contention {

inline constexpr int kEmbedding = 4;
inline constexpr int kInner = 8;

struct SetWeights {
  Eigen::MatrixXd by_rate;     // E: apps x kEmbedding
  Eigen::MatrixXd by_replica;  // F
  Eigen::MatrixXd own;         // T
  Eigen::VectorXd own_rate;    // G: apps
  Eigen::MatrixXd from_pool;   // W: kInner x kEmbedding
  Eigen::MatrixXd from_own;    // U
  Eigen::VectorXd from_rate;   // V: kInner
  Eigen::VectorXd offset;      // c
  Eigen::MatrixXd out;         // O: kFigures x kInner
  Eigen::MatrixXd level;       // B: apps x kFigures

  // Applies `visit` to every block, of this one and of `others` alike.
  template <typename Visit, typename... Weights>
  static void ForEach(const Visit& visit, Weights&... weights) {
    visit(weights.by_rate...);
    visit(weights.by_replica...);
    visit(weights.own...);
    visit(weights.own_rate...);
    visit(weights.from_pool...);
    visit(weights.from_own...);
    visit(weights.from_rate...);
    visit(weights.offset...);
    visit(weights.out...);
    visit(weights.level...);
  }
  SetWeights Zeros() const;
};

// What Forward leaves for Backward.
struct SetPass {
  Eigen::VectorXd pooled;
  Eigen::VectorXd inner;
  Eigen::VectorXd log_ms;  // kFigures, not sorted
};

SetPass Forward(const SetWeights& weights, const Deployment& deployment,
                size_t tenant);
// Adds to `slopes` the derivatives of a loss whose derivatives by log_ms are
// `by_log_ms`.
void Backward(const SetWeights& weights, const Deployment& deployment,
              size_t tenant, const SetPass& pass,
              const Eigen::VectorXd& by_log_ms, SetWeights* slopes);

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_SET_NETWORK_H_
