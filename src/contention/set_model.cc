#include "contention/set_model.h"

#include <algorithm>
#include <cmath>

#include "contention/alone.h"
#include "contention/set_network.h"
#include "stats/random.h"

namespace edgewise::contention {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kMsPerS = 1e3;
constexpr double kOutlier = 0.3;  // of logarithms; beyond it errors pull alike
constexpr double kDecay = 1e-4;   // of weights, a step
constexpr double kIdleReplica = 1e-3;  // pressure of one, to begin with
// Adam's (Kingma and Ba 2015).
constexpr double kMomentum = 0.9;
constexpr double kSquares = 0.999;

// Seen from the fastest server: a slower one is busier, and takes longer.
Deployment AtFullSpeed(Deployment deployment, double speed) {
  for (Tenant& tenant : deployment.tenants) {
    tenant.rate_per_s /= speed;
  }
  return deployment;
}

struct Sample {
  Deployment deployment;  // at full speed
  size_t tenant;
  const Outcome* outcome;
  double log_speed;
};

MatrixXd Noise(Index rows, Index columns, double mean, double deviation,
               stats::Random* random) {
  MatrixXd noise(rows, columns);
  for (Index i = 0; i < noise.size(); ++i) {
    noise.data()[i] = mean + deviation * random->Normal();
  }
  return noise;
}

// Loads begin as shares of a core, levels as the service time alone.
SetWeights FirstWeights(const Alone& alone, double cores, uint64_t seed) {
  stats::Random random(seed);
  const auto apps = static_cast<Index>(alone.apps.size());
  SetWeights weights;
  weights.by_rate = Noise(apps, kEmbedding, 0, 0.1, &random);
  weights.by_replica =
      Noise(apps, kEmbedding, std::log(kIdleReplica), 0.1, &random);
  weights.own = Noise(apps, kEmbedding, 0, 0.3, &random);
  weights.own_rate = VectorXd::Zero(apps);
  weights.from_pool = Noise(kInner, kEmbedding, std::log(0.5), 0.5, &random);
  weights.from_own = Noise(kInner, kEmbedding, 0, 0.3, &random);
  weights.from_rate = Noise(kInner, 1, 0, 0.5, &random);
  weights.offset = Noise(kInner, 1, -2, 1, &random);
  weights.out = Noise(kFigures, kInner, std::log(0.3), 0.3, &random);
  weights.level = MatrixXd::Zero(apps, kFigures);
  for (Index i = 0; i < apps; ++i) {
    const AloneApp& app = alone.apps[static_cast<size_t>(i)];
    const double load = std::log(app.cpu_ms / kMsPerS / cores);
    weights.by_rate.row(i).array() += load;
    weights.own_rate(i) = load;
    weights.level.row(i).setConstant(std::log(app.service_ms));
  }
  return weights;
}

// Derivative of a loss that is quadratic up to kOutlier.
double Pull(double error) { return std::clamp(error, -kOutlier, kOutlier); }

VectorXd Pulls(const Sample& sample, const VectorXd& log_ms_at_full_speed) {
  const Outcome& outcome = *sample.outcome;
  const VectorXd log_ms = log_ms_at_full_speed.array() - sample.log_speed;
  VectorXd pulls = VectorXd::Zero(kFigures);
  for (size_t f = 0; f < kFigures; ++f) {
    const auto at = static_cast<Index>(f);
    if (outcome.response_ms[f]) {
      pulls(at) = Pull(log_ms(at) - std::log(*outcome.response_ms[f]));
    } else if (outcome.at_least_ms[f]) {
      // Cut off: only too low a prediction is known to be wrong.
      pulls(at) =
          Pull(std::min(0.0, log_ms(at) - std::log(*outcome.at_least_ms[f])));
    }
  }
  return pulls;
}

void TrainBy(const std::vector<Sample>& samples, const SetTraining& training,
             SetWeights* weights) {
  SetWeights momentum = weights->Zeros();
  SetWeights squares = weights->Zeros();
  const double share = 1 / static_cast<double>(samples.size());
  for (int epoch = 1; epoch <= training.epochs; ++epoch) {
    SetWeights slopes = weights->Zeros();
    for (const Sample& sample : samples) {
      const SetPass pass = Forward(*weights, sample.deployment, sample.tenant);
      Backward(*weights, sample.deployment, sample.tenant, pass,
               share * Pulls(sample, pass.log_ms), &slopes);
    }
    // Steps shrink to nothing towards the end.
    const double step = training.step *
                        (1 - static_cast<double>(epoch - 1) / training.epochs) *
                        std::sqrt(1 - std::pow(kSquares, epoch)) /
                        (1 - std::pow(kMomentum, epoch));
    SetWeights::ForEach(
        [step](auto& weight, const auto& slope, auto& first, auto& second) {
          first = kMomentum * first + (1 - kMomentum) * slope;
          second = kSquares * second + (1 - kSquares) * slope.cwiseAbs2();
          weight.array() -=
              step * first.array() / (second.array().sqrt() + 1e-9);
        },
        *weights, slopes, momentum, squares);
    weights->from_own *= 1 - kDecay;
    weights->own *= 1 - kDecay;
  }
}

class SetModel : public ContentionPredictor {
 public:
  SetModel(SetWeights weights, std::vector<double> speeds)
      : weights_(std::move(weights)), speeds_(std::move(speeds)) {}

  std::string Name() const override { return "set network"; }

  std::vector<std::optional<Figures>> Predict(
      const Deployment& deployment) const override {
    const double speed = speeds_[deployment.server];
    const Deployment seen = AtFullSpeed(deployment, speed);
    std::vector<std::optional<Figures>> predictions;
    for (size_t t = 0; t < deployment.tenants.size(); ++t) {
      const SetPass pass = Forward(weights_, seen, t);
      Figures figures{};
      for (size_t f = 0; f < kFigures; ++f) {
        figures[f] = std::exp(pass.log_ms(static_cast<Index>(f))) / speed;
      }
      std::sort(figures.begin() + 1, figures.end());
      predictions.emplace_back(figures);
    }
    return predictions;
  }

 private:
  SetWeights weights_;
  std::vector<double> speeds_;
};

}  // namespace

Result<std::unique_ptr<ContentionPredictor>> FitSetModel(
    const Campaign& campaign, const Selection& rows,
    const SetTraining& training) {
  const auto alone = FindAlone(campaign, rows);
  if (!alone) {
    return alone.error();
  }
  std::vector<Sample> samples;
  for (const size_t row : rows) {
    const Observation& observation = campaign.observations[row];
    if (!observation.deployment.stress) {
      for (size_t t = 0; t < observation.outcomes.size(); ++t) {
        const double speed = alone->speeds[observation.deployment.server];
        samples.push_back({AtFullSpeed(observation.deployment, speed), t,
                           &observation.outcomes[t], std::log(speed)});
      }
    }
  }
  SetWeights weights =
      FirstWeights(*alone, campaign.servers.front().cores, training.seed);
  TrainBy(samples, training, &weights);
  return std::unique_ptr<ContentionPredictor>(
      std::make_unique<SetModel>(std::move(weights), alone->speeds));
}

}  // namespace edgewise::contention
