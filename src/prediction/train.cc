#include "prediction/train.h"

#include <algorithm>
#include <cmath>

#include "prediction/cost_fit.h"
#include "prediction/cross_validation.h"
#include "prediction/evaluate.h"

namespace edgewise {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr size_t kLeastNetworks = 8;
constexpr size_t kLeastRuns = 5;
// Pulls spec weights towards 0, in runs.
constexpr double kSpecRidge = 2;
constexpr double kPriorSpread = 0.15;
constexpr double kPriorSpreadWeight = 8;
// Networks that share fewer runs than this count as if they shared so many.
constexpr double kLeastSharedRuns = 20;

double Median(std::vector<double> values) {
  if (values.empty()) {
    return 0;
  }
  const auto middle =
      values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void AddSpecModel(const LatencyData& data, const CostFit& fit,
                  LatencyModel& model) {
  const auto runs = static_cast<Index>(data.runs.size());
  MatrixXd specs(runs, kSpecTerms);
  for (Index r = 0; r < runs; ++r) {
    specs.row(r) =
        SpecTermsOf(data.runs[static_cast<size_t>(r)].spec).transpose();
  }
  const MatrixXd spread = fit.log_rates.rowwise() - fit.fleet.mean.transpose();
  model.mean = fit.fleet.mean;
  model.spec_weights = (specs.transpose() * specs +
                        kSpecRidge * MatrixXd::Identity(kSpecTerms, kSpecTerms))
                           .ldlt()
                           .solve(specs.transpose() * spread);
  const MatrixXd rest = spread - specs * model.spec_weights;
  const auto terms = static_cast<Index>(kCostTerms);
  model.spec_covariance =
      (rest.transpose() * rest + fit.posterior_sum +
       kPriorSpreadWeight * kPriorSpread * MatrixXd::Identity(terms, terms)) /
      (static_cast<double>(runs) + kPriorSpreadWeight);
}

// What rates leave unexplained: an offset of each network over all runs, and
// how the rest of one network goes with another's.
void AddRests(const LatencyData& data, const MatrixXd& costs,
              const CostFit& fit, LatencyModel& model) {
  const Index runs = data.log_ms.rows();
  const Index networks = data.log_ms.cols();
  MatrixXd rests(runs, networks);
  for (Index r = 0; r < runs; ++r) {
    rests.row(r) =
        data.log_ms.row(r) -
        LogTimes(costs, fit.log_rates.row(r).transpose()).transpose();
  }
  MatrixXd measured = MatrixXd::Zero(runs, networks);
  for (Index n = 0; n < networks; ++n) {
    std::vector<double> values;
    for (Index r = 0; r < runs; ++r) {
      if (!std::isnan(rests(r, n))) {
        values.push_back(rests(r, n));
      }
    }
    const double offset = Median(values);
    model.networks[static_cast<size_t>(n)].offset = offset;
    for (Index r = 0; r < runs; ++r) {
      measured(r, n) = std::isnan(rests(r, n)) ? 0 : 1;
      rests(r, n) = std::isnan(rests(r, n)) ? 0 : rests(r, n) - offset;
    }
  }
  const MatrixXd shared = measured.transpose() * measured;
  model.rest_covariance = (rests.transpose() * rests).array() /
                          shared.array().max(kLeastSharedRuns);
}

std::vector<Miss> Misses(const std::vector<Forecast>& forecasts) {
  std::vector<Miss> misses;
  for (const Forecast& forecast : forecasts) {
    misses.push_back(
        {forecast.predicted_log_ms - forecast.actual_log_ms, forecast.group});
  }
  return misses;
}

}  // namespace

Result<LatencyModel> FitModel(const LatencyData& data) {
  if (data.networks.size() < kLeastNetworks || data.runs.size() < kLeastRuns) {
    return Error{ErrorCode::kInvalid,
                 "the tables have " + std::to_string(data.networks.size()) +
                     " networks on " + std::to_string(data.runs.size()) +
                     " runs; training needs at least 8 networks on 5 runs"};
  }
  LatencyModel model;
  std::vector<CostVector> costs;
  CoarseTable coarse;
  for (size_t n = 0; n < data.networks.size(); ++n) {
    costs.push_back(CostsOf(data.networks[n]));
    coarse.push_back(data.characteristics[n] ? std::optional(CoarseTermsOf(
                                                   *data.characteristics[n]))
                                             : std::nullopt);
    if (LogTime(costs.back(), VectorXd::Zero(kCostTerms)) < -30) {
      return Error{ErrorCode::kInvalid, "the network " + data.networks[n].name +
                                            " has no layer that does anything"};
    }
    model.networks.push_back(
        {data.networks[n].name, costs.back(), 0, 0, coarse.back()});
  }
  const MatrixXd matrix = CostMatrix(costs);
  const CostFit fit = FitCosts(data.log_ms, matrix);
  for (size_t n = 0; n < model.networks.size(); ++n) {
    model.networks[n].noise = fit.fleet.noise[static_cast<Index>(n)];
  }
  AddSpecModel(data, fit, model);
  AddRests(data, matrix, fit, model);
  model.coarse = FitCoarse(data.log_ms, coarse);
  for (size_t r = 0; r < data.runs.size(); ++r) {
    const BoardRun& run = data.runs[r];
    const auto row = static_cast<Index>(r);
    model.runs.push_back(
        {run.id, run.device, run.note, run.spec,
         fit.log_rates.row(row).transpose(),
         CoarseLevel(model.coarse, data.log_ms.row(row).transpose(), coarse),
         VectorXd(), 0});
  }
  model.load = FitLoad(data.load_rows);
  model.data_digest = data.digest;
  model.measurements = data.Measurements();
  return model;
}

Result<LatencyModel> TrainModel(const LatencyData& data, std::string source) {
  auto model = FitModel(data);
  if (!model) {
    return model;
  }
  auto held_out = CrossValidate(data);
  if (!held_out) {
    return held_out.error();
  }
  model->source = std::move(source);
  model->metrics = Evaluate(data, *held_out).rows;
  const auto set = [&](Basis basis, const std::vector<Forecast>& forecasts) {
    model->widths[static_cast<size_t>(basis)] =
        ConformalWidth(Misses(forecasts), kIntervalCoverage);
  };
  set(Basis::kKnownDevice, held_out->new_network);
  set(Basis::kCalibrated, held_out->new_device);
  set(Basis::kCalibratedNewNetwork, held_out->new_both);
  set(Basis::kSpecOnly, held_out->new_both_spec);
  set(Basis::kCoarse, held_out->new_network_coarse);
  return model;
}

}  // namespace edgewise
