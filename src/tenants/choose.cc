#include "tenants/choose.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "stats/random.h"
#include "tenants/draw.h"

namespace edgewise::tenants {
namespace {

constexpr int kFits = 16;
// Fewer deployments than that leave the fit to chance.
constexpr size_t kLeastDeployments = 12;
constexpr double kRidge = 0.05;
constexpr int kSharedFeatures = 5;

// What a tenant of a deployment is like, whether measured or not.
struct Part {
  std::string tenant;
  double requests_per_s = 0;
  int replicas = 1;
};

struct Observed {
  size_t group = 0;  // which deployment
  Eigen::VectorXd features;
  double log_p95 = 0;  // over the time alone
};

class Features {
 public:
  Features(const std::vector<Measured>& rows, double cores) : cores_(cores) {
    for (const Measured& row : rows) {
      if (row.kind == Kind::kBaseline && row.service_mean_ms) {
        const auto [known, added] =
            times_.emplace(row.tenant, *row.service_mean_ms);
        known->second = std::min(known->second, *row.service_mean_ms);
      }
    }
    for (const auto& [tenant, ms] : times_) {
      const auto place = static_cast<int>(places_.size());
      places_[tenant] = place;
    }
  }

  int size() const {
    return kSharedFeatures + static_cast<int>(places_.size());
  }
  bool Knows(const std::string& tenant) const {
    return times_.contains(tenant);
  }
  double AloneMs(const std::string& tenant) const { return times_.at(tenant); }

  // Of part `self` among all of a deployment, all known.
  Eigen::VectorXd Of(const std::vector<Part>& parts, size_t self) const {
    constexpr double kFull = 0.97;
    double all = 0;
    double others = 0;
    double residual_ms = 0;
    int replicas = 0;
    for (size_t i = 0; i < parts.size(); ++i) {
      const double ms = AloneMs(parts[i].tenant);
      const double load = parts[i].requests_per_s * ms / 1e3 / cores_;
      all += load;
      replicas += parts[i].replicas;
      if (i != self) {
        others += load;
        residual_ms += load * ms;
      }
    }
    const double own_ms = AloneMs(parts[self].tenant);
    const double own_each =
        parts[self].requests_per_s * own_ms / 1e3 / parts[self].replicas;
    Eigen::VectorXd x = Eigen::VectorXd::Zero(size());
    x[0] = 1;
    x[1] = -std::log(1 - std::min(all, kFull));
    x[2] = -std::log(1 - std::min(own_each, kFull));
    x[3] = std::log1p(residual_ms / own_ms);
    x[4] = others * std::log(static_cast<double>(replicas));
    x[kSharedFeatures + places_.at(parts[self].tenant)] = 1;
    return x;
  }

 private:
  ServiceTimes times_;
  double cores_;
  std::map<std::string, int> places_;
};

std::vector<std::vector<const Measured*>> Grouped(
    const std::vector<Measured>& rows) {
  std::vector<std::vector<const Measured*>> groups;
  for (const Measured& row : rows) {
    // Stressors are another matter.
    if (row.kind == Kind::kSensitivity) {
      continue;
    }
    if (groups.empty() || groups.back().front()->deployment != row.deployment) {
      groups.emplace_back();
    }
    groups.back().push_back(&row);
  }
  return groups;
}

std::vector<Observed> Observe(const std::vector<Measured>& rows,
                              const Features& features, size_t* group_count) {
  std::vector<Observed> observed;
  const auto groups = Grouped(rows);
  *group_count = groups.size();
  for (size_t group = 0; group < groups.size(); ++group) {
    std::vector<Part> parts;
    bool known = true;
    for (const Measured* row : groups[group]) {
      known = known && features.Knows(row->tenant);
      parts.push_back(
          {row->tenant, row->rate_per_s * row->replicas, row->replicas});
    }
    for (size_t i = 0; known && i < parts.size(); ++i) {
      if (const auto& p95 = groups[group][i]->response_p95_ms) {
        observed.push_back(
            {group, features.Of(parts, i),
             std::log(*p95 / features.AloneMs(parts[i].tenant))});
      }
    }
  }
  return observed;
}

Eigen::VectorXd Fit(const std::vector<Observed>& observed,
                    const std::vector<int>& weights, int size) {
  Eigen::MatrixXd squares = kRidge * Eigen::MatrixXd::Identity(size, size);
  Eigen::VectorXd products = Eigen::VectorXd::Zero(size);
  for (const Observed& one : observed) {
    const double weight = weights[one.group];
    if (weight > 0) {
      squares += weight * one.features * one.features.transpose();
      products += weight * one.log_p95 * one.features;
    }
  }
  return squares.ldlt().solve(products);
}

struct Ensemble {
  std::vector<Eigen::VectorXd> fits;
  std::optional<double> error;
};

Ensemble FitMany(const std::vector<Observed>& observed, size_t groups, int size,
                 stats::Random& random) {
  Ensemble ensemble;
  std::vector<double> misses;
  for (int fit = 0; fit < kFits; ++fit) {
    std::vector<int> weights(groups, 0);
    for (size_t i = 0; i < groups; ++i) {
      ++weights[random.Below(groups)];
    }
    ensemble.fits.push_back(Fit(observed, weights, size));
    for (const Observed& one : observed) {
      if (weights[one.group] == 0) {
        const double off = one.features.dot(ensemble.fits.back()) - one.log_p95;
        misses.push_back(std::abs(std::expm1(off)));
      }
    }
  }
  if (groups >= kLeastDeployments && !misses.empty()) {
    const auto middle =
        misses.begin() + static_cast<std::ptrdiff_t>(misses.size() / 2);
    std::nth_element(misses.begin(), middle, misses.end());
    ensemble.error = *middle;
  }
  return ensemble;
}

// The largest disagreement about any of its tenants; one never seen is the
// least sure of all.
double Disagreement(const Deployment& candidate, const Features& features,
                    const Ensemble& ensemble) {
  constexpr double kNothingKnown = 1e9;
  std::vector<Part> parts;
  for (const Share& share : candidate.shares) {
    if (!features.Knows(share.tenant.name)) {
      return kNothingKnown;
    }
    parts.push_back(
        {share.tenant.name, share.rate_per_s * share.replicas, share.replicas});
  }
  double most = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const Eigen::VectorXd x = features.Of(parts, i);
    double sum = 0;
    double squares = 0;
    for (const Eigen::VectorXd& fit : ensemble.fits) {
      const double guess = x.dot(fit);
      sum += guess;
      squares += guess * guess;
    }
    const double mean = sum / kFits;
    most = std::max(most, squares / kFits - mean * mean);
  }
  return most;
}

}  // namespace

Chooser BootstrapChooser(uint64_t seed) {
  return [random = stats::Random(seed)](
             const std::vector<Deployment>& candidates,
             const std::vector<Measured>& so_far) mutable -> Choice {
    Choice choice;
    choice.candidate = random.Below(candidates.size());
    const double cores = so_far.empty() ? 1 : so_far.front().cores;
    const Features features(so_far, cores);
    size_t groups = 0;
    const auto observed = Observe(so_far, features, &groups);
    if (observed.empty()) {
      return choice;
    }
    const Ensemble ensemble =
        FitMany(observed, groups, features.size(), random);
    choice.error = ensemble.error;
    if (!ensemble.error) {
      return choice;  // too early to trust it: as drawn
    }
    double most = -1;
    for (size_t i = 0; i < candidates.size(); ++i) {
      const double disagreement =
          Disagreement(candidates[i], features, ensemble);
      if (disagreement > most) {
        most = disagreement;
        choice.candidate = i;
      }
    }
    return choice;
  };
}

}  // namespace edgewise::tenants
