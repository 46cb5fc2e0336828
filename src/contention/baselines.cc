#include "contention/baselines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "contention/least_squares.h"
#include "contention/median.h"

namespace edgewise::contention {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr int kMostSteps = 15;
constexpr double kOutlier = 0.5;  // of logarithms
constexpr double kUsualSlope = 2;
constexpr double kWeak = 5;  // priors weigh little

// One known figure of one tenant.
struct Sample {
  const Deployment* deployment;
  size_t tenant;
  double log_ms;
};

std::vector<Sample> SamplesOf(const Campaign& campaign, const Selection& rows,
                              size_t app, size_t figure) {
  std::vector<Sample> samples;
  for (const size_t row : rows) {
    const Observation& observation = campaign.observations[row];
    const Deployment& deployment = observation.deployment;
    for (size_t t = 0; t < deployment.tenants.size(); ++t) {
      const auto& ms = observation.outcomes[t].response_ms[figure];
      if (deployment.tenants[t].app == app && ms && !deployment.stress) {
        samples.push_back({&deployment, t, std::log(*ms)});
      }
    }
  }
  return samples;
}

double LeastLog(const std::vector<Sample>& samples) {
  std::vector<double> logs;
  for (const Sample& sample : samples) {
    logs.push_back(sample.log_ms);
  }
  return AtPart(logs, 0.1);
}

double Instances(const Deployment& deployment) {
  double count = 0;
  for (const Tenant& tenant : deployment.tenants) {
    count += tenant.replicas;
  }
  return count;
}

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// Fits and predicts one figure of one app; a Curve is a function of parameters,
// deployment and tenant.
template <typename Curve>
class CurvePredictor : public ContentionPredictor {
 public:
  CurvePredictor(std::string name, const Campaign& campaign,
                 const Selection& rows)
      : name_(std::move(name)) {
    for (size_t app = 0; app < campaign.apps.size(); ++app) {
      for (size_t f = 0; f < kFigures; ++f) {
        const auto samples = SamplesOf(campaign, rows, app, f);
        curves_.emplace_back(campaign, samples);
        parameters_.push_back(
            samples.empty() ? VectorXd() : Fitted(curves_.back(), samples));
      }
    }
  }

  std::string Name() const override { return name_; }
  bool Published() const override { return true; }

  std::vector<std::optional<Figures>> Predict(
      const Deployment& deployment) const override {
    std::vector<std::optional<Figures>> predictions;
    for (size_t t = 0; t < deployment.tenants.size(); ++t) {
      Figures figures{};
      bool known = true;
      for (size_t f = 0; f < kFigures; ++f) {
        const size_t at = deployment.tenants[t].app * kFigures + f;
        known = known && parameters_[at].size() > 0;
        if (known) {
          figures[f] = curves_[at].At(parameters_[at], deployment, t);
        }
      }
      std::sort(figures.begin() + 1, figures.end());
      predictions.push_back(known ? std::optional(figures) : std::nullopt);
    }
    return predictions;
  }

 private:
  static VectorXd Fitted(const Curve& curve,
                         const std::vector<Sample>& samples) {
    const VectorXd start = curve.Start();
    const auto count = static_cast<Index>(samples.size());
    const Residuals residuals = [&](const VectorXd& at, VectorXd& to) {
      to.resize(count + at.size());
      for (Index i = 0; i < count; ++i) {
        const Sample& sample = samples[static_cast<size_t>(i)];
        to(i) = Robust(sample.log_ms - std::log(curve.At(at, *sample.deployment,
                                                         sample.tenant)),
                       kOutlier);
      }
      to.tail(at.size()) = (at - start) / kWeak;
    };
    return MinimiseSquares(residuals, start, kMostSteps);
  }

  std::string name_;
  std::vector<Curve> curves_;
  std::vector<VectorXd> parameters_;
};

// alone + sum over kinds j of height_j · sigmoid(slope · (rate_j ÷ middle_j -
// 1)); logarithms of all are the parameters.
class PerxCurve {
 public:
  PerxCurve(const Campaign& campaign, const std::vector<Sample>& samples)
      : apps_(static_cast<Index>(campaign.apps.size())),
        start_(VectorXd::Zero(2 * apps_ + 2)) {
    if (samples.empty()) {
      return;
    }
    start_(0) = LeastLog(samples);
    start_(1) = std::log(kUsualSlope);
    for (Index j = 0; j < apps_; ++j) {
      std::vector<double> rates;
      for (const Sample& sample : samples) {
        for (const Tenant& tenant : sample.deployment->tenants) {
          if (static_cast<Index>(tenant.app) == j) {
            rates.push_back(tenant.replicas * tenant.rate_per_s);
          }
        }
      }
      start_(2 + 2 * j) = start_(0) - 1;
      start_(3 + 2 * j) = rates.empty() ? 0 : std::log(Median(rates));
    }
  }

  VectorXd Start() const { return start_; }

  double At(const VectorXd& at, const Deployment& deployment,
            size_t tenant) const {
    double ms = std::exp(at(0));
    const double slope = std::exp(at(1));
    for (size_t j = 0; j < deployment.tenants.size(); ++j) {
      const Tenant& other = deployment.tenants[j];
      if (j == tenant && other.replicas == 1) {
        continue;
      }
      const Index k = 2 + 2 * static_cast<Index>(other.app);
      const int replicas = other.replicas - (j == tenant ? 1 : 0);
      ms += std::exp(at(k)) *
            Sigmoid(slope *
                    (replicas * other.rate_per_s * std::exp(-at(k + 1)) - 1));
    }
    return ms;
  }

 private:
  Index apps_;
  VectorXd start_;
};

// a + b·N + c·N² of N instances; logarithms are the parameters.
class InstanceCurve {
 public:
  InstanceCurve(const Campaign&, const std::vector<Sample>& samples)
      : start_(3) {
    const double least = samples.empty() ? 0 : LeastLog(samples);
    start_ << least, least - 2, least - 4;
  }

  VectorXd Start() const { return start_; }

  double At(const VectorXd& at, const Deployment& deployment,
            size_t /*tenant*/) const {
    const double n = Instances(deployment);
    return std::exp(at(0)) + std::exp(at(1)) * n + std::exp(at(2)) * n * n;
  }

 private:
  VectorXd start_;
};

}  // namespace

std::unique_ptr<ContentionPredictor> FitPerx(const Campaign& campaign,
                                             const Selection& rows) {
  return std::make_unique<CurvePredictor<PerxCurve>>("PERX", campaign, rows);
}

std::unique_ptr<ContentionPredictor> FitScaloRan(const Campaign& campaign,
                                                 const Selection& rows) {
  return std::make_unique<CurvePredictor<InstanceCurve>>("ScalO-RAN", campaign,
                                                         rows);
}

}  // namespace edgewise::contention
