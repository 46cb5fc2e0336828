#include "prediction/calibrate_device.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "prediction/cost_fit.h"
#include "prediction/predict.h"

namespace edgewise {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// A rest larger than this is an accident, not a trait.
constexpr double kLargestRest = 0.5;
// Variance of one measurement.
constexpr double kMeasurementVariance = 0.0025;
// Of the share of a micro-kernel's speed that networks reach, in logarithms.
constexpr double kMicroKernelNoise = 0.5;

// What the rests of the measured networks say about all of them: the mean of a
// normal distribution given some of its elements.
VectorXd Corrections(const LatencyModel& model, const VectorXd& log_ms,
                     const VectorXd& predicted) {
  std::vector<Index> at;
  for (Index n = 0; n < log_ms.size(); ++n) {
    if (!std::isnan(log_ms[n])) {
      at.push_back(n);
    }
  }
  const MatrixXd& all = model.rest_covariance;
  VectorXd rests(static_cast<Index>(at.size()));
  for (size_t i = 0; i < at.size(); ++i) {
    rests[static_cast<Index>(i)] = std::clamp(log_ms[at[i]] - predicted[at[i]],
                                              -kLargestRest, kLargestRest);
  }
  MatrixXd among = all(at, at);
  among.diagonal().array() += kMeasurementVariance;
  const MatrixXd towards = all(Eigen::all, at);
  return towards * among.ldlt().solve(rests);
}

}  // namespace

const std::vector<std::string>& ReferenceNetworks() {
  static const std::vector<std::string> networks = {
      "squeezenet",  "mobilenet_v2",    "resnet18",      "mobilenet_int8",
      "alexnet",     "shufflenet_v2",   "resnet18_int8", "efficientnet_b0",
      "yolov4-tiny", "squeezenet_int8", "mobilenet",     "resnet50"};
  return networks;
}

std::vector<MeasuredWork> MicroKernelWork(double mega_macs_per_ms,
                                          double megabytes_per_ms) {
  MeasuredWork multiply;
  multiply.ms = 1;
  multiply.costs[static_cast<size_t>(CostTerm::kPointwiseMacs)] =
      mega_macs_per_ms;
  MeasuredWork read;
  read.ms = 1;
  read.costs[static_cast<size_t>(CostTerm::kDenseBytes)] = megabytes_per_ms;
  return {multiply, read};
}

KnownRun PlaceRun(const LatencyModel& model, const DeviceSpec& spec,
                  const VectorXd& log_ms,
                  const std::vector<MeasuredWork>& work) {
  std::vector<CostVector> costs;
  VectorXd offset(log_ms.size());
  VectorXd noise(log_ms.size());
  CoarseTable coarse;
  for (const KnownNetwork& network : model.networks) {
    const auto n = static_cast<Index>(costs.size());
    costs.push_back(network.costs);
    offset[n] = network.offset;
    noise[n] = network.noise;
    coarse.push_back(network.coarse);
  }
  const MatrixXd matrix = CostMatrix(costs);
  const Index networks = log_ms.size();
  const auto rows = networks + static_cast<Index>(work.size());
  VectorXd all_ms(rows);
  VectorXd all_noise = VectorXd::Constant(rows, kMicroKernelNoise);
  all_ms.head(networks) = log_ms - offset;
  all_noise.head(networks) = noise;
  for (size_t i = 0; i < work.size(); ++i) {
    costs.push_back(work[i].costs);
    all_ms[networks + static_cast<Index>(i)] = std::log(work[i].ms);
  }
  KnownRun run;
  run.spec = spec;
  run.log_rates = FitRun(all_ms, CostMatrix(costs), all_noise,
                         SpecRates(model, spec), model.spec_covariance);
  run.corrections =
      Corrections(model, log_ms, LogTimes(matrix, run.log_rates) + offset);
  run.coarse_level = CoarseLevel(model.coarse, log_ms, coarse);
  return run;
}

Result<Placement> CalibrateDevice(const LatencyModel& model,
                                  const std::string& device,
                                  const DeviceSpec& spec,
                                  const std::map<std::string, double>& ms,
                                  const std::vector<MeasuredWork>& work) {
  Placement placement;
  VectorXd log_ms =
      VectorXd::Constant(static_cast<Index>(model.networks.size()),
                         std::numeric_limits<double>::quiet_NaN());
  for (const auto& [name, value] : ms) {
    if (const auto n = model.FindNetwork(name)) {
      log_ms[static_cast<Index>(*n)] = std::log(value);
      placement.used.push_back(name);
    } else {
      placement.ignored.push_back(name);
    }
  }
  if (placement.used.empty()) {
    return Error{ErrorCode::kInvalid,
                 "none of the measured networks is known to the model: measure "
                 "some of its own, such as squeezenet and mobilenet_v2"};
  }
  placement.run = PlaceRun(model, spec, log_ms, work);
  placement.run.device = device;
  placement.run.id = "calibrated";
  double nearest = std::numeric_limits<double>::infinity();
  for (const KnownRun& run : model.runs) {
    const double distance =
        (run.log_rates - placement.run.log_rates).squaredNorm();
    if (distance < nearest) {
      nearest = distance;
      placement.nearest_device = run.device;
    }
  }
  return placement;
}

std::vector<PlacementCheck> CheckPlacement(
    const LatencyModel& model, const DeviceSpec& spec,
    const std::map<std::string, double>& ms,
    const std::vector<MeasuredWork>& work) {
  std::vector<PlacementCheck> checks;
  for (const auto& [name, measured_ms] : ms) {
    const auto network = model.FindNetwork(name);
    std::map<std::string, double> others = ms;
    others.erase(name);
    if (!network) {
      continue;
    }
    const auto placed = CalibrateDevice(model, "", spec, others, work);
    if (!placed) {
      continue;
    }
    const Query query{name, model.networks[*network].costs};
    checks.push_back({name, measured_ms,
                      PredictBySpec(model, query, "", spec)->ms,
                      PredictOnRun(model, query, placed->run)->ms});
  }
  return checks;
}

}  // namespace edgewise
