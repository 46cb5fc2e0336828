#include "prediction/coarse_spec.h"

#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace edgewise {
namespace {

// Pulls weights towards 0, in runs per unit of variance.
constexpr double kRidge = 1;
constexpr double kCoverage = 0.9;

struct LevelledRun {
  std::string device;
  Eigen::VectorXd terms;  // with a constant last
  double level = 0;
};

Eigen::VectorXd TermsWithConstant(const DeviceSpec& spec) {
  Eigen::VectorXd terms(kSpecTerms + 1);
  terms << SpecTermsOf(spec), 1;
  return terms;
}

// By ridge regression over all runs but those of one device.
Eigen::VectorXd FitWithout(const std::vector<LevelledRun>& runs,
                           const std::string& left_out) {
  Eigen::MatrixXd size =
      Eigen::MatrixXd::Identity(kSpecTerms + 1, kSpecTerms + 1) * kRidge;
  size(kSpecTerms, kSpecTerms) = 1e-9;  // the constant is free
  Eigen::VectorXd gain = Eigen::VectorXd::Zero(kSpecTerms + 1);
  for (const LevelledRun& run : runs) {
    if (run.device != left_out) {
      size += run.terms * run.terms.transpose();
      gain += run.terms * run.level;
    }
  }
  return size.ldlt().solve(gain);
}

}  // namespace

double CoarseSpec::Level(const DeviceSpec& spec) const {
  return weights.dot(TermsWithConstant(spec));
}

std::optional<CoarseSpec> FitCoarseSpec(const LatencyModel& model) {
  std::vector<LevelledRun> runs;
  std::set<std::string> devices;
  for (const KnownRun& run : model.runs) {
    if (run.coarse_level) {
      runs.push_back(
          {run.device, TermsWithConstant(run.spec), *run.coarse_level});
      devices.insert(run.device);
    }
  }
  std::vector<Miss> misses;
  for (const std::string& device : devices) {
    const Eigen::VectorXd weights = FitWithout(runs, device);
    for (const LevelledRun& run : runs) {
      if (run.device == device) {
        misses.push_back({weights.dot(run.terms) - run.level, device});
      }
    }
  }
  const auto width = ConformalWidth(misses, kCoverage);
  if (!width) {
    return std::nullopt;
  }
  return CoarseSpec{FitWithout(runs, ""), *width};
}

Prediction PredictCoarseBySpec(const LatencyModel& model,
                               const CoarseSpec& by_spec,
                               const Characteristics& fields,
                               const std::string& device,
                               const DeviceSpec& spec) {
  const CoarseVector terms = CoarseTermsOf(fields);
  const double log_ms = model.coarse.LogTime(terms, by_spec.Level(spec));
  Prediction prediction;
  prediction.device = device;
  prediction.threads = spec.threads;
  prediction.basis = Basis::kSpecOnly;
  prediction.ms = std::exp(log_ms);
  prediction.out_of_distribution = model.coarse.OutOfDistribution(terms);
  if (const auto& width = model.widths[static_cast<size_t>(Basis::kCoarse)]) {
    prediction.low_ms =
        std::exp(log_ms - std::hypot(width->below, by_spec.width.below));
    prediction.high_ms =
        std::exp(log_ms + std::hypot(width->above, by_spec.width.above));
  }
  return prediction;
}

}  // namespace edgewise
