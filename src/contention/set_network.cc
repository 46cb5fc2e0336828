#include "contention/set_network.h"

#include <algorithm>
#include <cmath>

namespace edgewise::contention {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

int Others(const Deployment& deployment, size_t j, size_t tenant) {
  return deployment.tenants[j].replicas - (j == tenant ? 1 : 0);
}

// A quota makes the tenant's own load weigh more: what counts is the part of
// the quota that all its replicas need.
double OwnRate(const Tenant& own) {
  return own.rate_per_s *
         (own.quota_cores ? std::max(1.0, own.replicas / *own.quota_cores) : 1);
}

VectorXd Softplus(const VectorXd& x) {
  return x.unaryExpr([](double v) {
    return v > 0 ? v + std::log1p(std::exp(-v)) : std::log1p(std::exp(v));
  });
}

VectorXd Sigmoid(const VectorXd& x) {
  return x.unaryExpr([](double v) { return 1 / (1 + std::exp(-v)); });
}

}  // namespace

SetWeights SetWeights::Zeros() const {
  SetWeights zeros = *this;
  ForEach([](auto& block) { block.setZero(); }, zeros);
  return zeros;
}

SetPass Forward(const SetWeights& weights, const Deployment& deployment,
                size_t tenant) {
  SetPass pass;
  pass.pooled = VectorXd::Zero(kEmbedding);
  for (size_t j = 0; j < deployment.tenants.size(); ++j) {
    const Tenant& other = deployment.tenants[j];
    const auto app = static_cast<Index>(other.app);
    pass.pooled += Others(deployment, j, tenant) *
                   (other.rate_per_s * weights.by_rate.row(app).array().exp() +
                    weights.by_replica.row(app).array().exp())
                       .matrix()
                       .transpose();
  }
  const Tenant& own = deployment.tenants[tenant];
  const auto app = static_cast<Index>(own.app);
  pass.inner = weights.from_pool.array().exp().matrix() * pass.pooled +
               weights.from_own * weights.own.row(app).transpose() +
               weights.offset;
  pass.inner += OwnRate(own) * std::exp(weights.own_rate(app)) *
                weights.from_rate.array().exp().matrix();
  pass.log_ms = weights.out.array().exp().matrix() * Softplus(pass.inner) +
                weights.level.row(app).transpose();
  return pass;
}

void Backward(const SetWeights& weights, const Deployment& deployment,
              size_t tenant, const SetPass& pass, const VectorXd& by_log_ms,
              SetWeights* slopes) {
  const Tenant& own = deployment.tenants[tenant];
  const auto app = static_cast<Index>(own.app);
  const MatrixXd out = weights.out.array().exp();
  slopes->level.row(app) += by_log_ms.transpose();
  slopes->out +=
      (by_log_ms * Softplus(pass.inner).transpose()).cwiseProduct(out);
  const VectorXd by_inner =
      (out.transpose() * by_log_ms).cwiseProduct(Sigmoid(pass.inner));
  slopes->offset += by_inner;
  slopes->from_own += by_inner * weights.own.row(app);
  slopes->own.row(app) += by_inner.transpose() * weights.from_own;
  const VectorXd from_rate = weights.from_rate.array().exp();
  const double load = OwnRate(own) * std::exp(weights.own_rate(app));
  slopes->from_rate += load * by_inner.cwiseProduct(from_rate);
  slopes->own_rate(app) += load * by_inner.dot(from_rate);
  const MatrixXd from_pool = weights.from_pool.array().exp();
  slopes->from_pool +=
      (by_inner * pass.pooled.transpose()).cwiseProduct(from_pool);
  const VectorXd by_pooled = from_pool.transpose() * by_inner;
  for (size_t j = 0; j < deployment.tenants.size(); ++j) {
    const Tenant& other = deployment.tenants[j];
    const auto from = static_cast<Index>(other.app);
    const double others = Others(deployment, j, tenant);
    slopes->by_rate.row(from) +=
        others * other.rate_per_s *
        by_pooled.transpose().cwiseProduct(
            weights.by_rate.row(from).array().exp().matrix());
    slopes->by_replica.row(from) +=
        others * by_pooled.transpose().cwiseProduct(
                     weights.by_replica.row(from).array().exp().matrix());
  }
}

}  // namespace edgewise::contention
