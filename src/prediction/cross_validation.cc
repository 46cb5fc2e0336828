#include "prediction/cross_validation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "prediction/calibrate_device.h"
#include "prediction/cost_fit.h"
#include "prediction/train.h"
#include "stats/random.h"

namespace edgewise {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr size_t kDeviceFolds = 8;
constexpr size_t kFamilyFolds = 5;
constexpr uint64_t kSeed = 7;

// The distinct values, shuffled the same way every time.
std::vector<std::string> Shuffled(const std::set<std::string>& values) {
  std::vector<std::string> order(values.begin(), values.end());
  stats::Random random(kSeed);
  for (size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[random.Below(i)]);
  }
  return order;
}

std::set<std::string> FoldOf(const std::vector<std::string>& order, size_t fold,
                             size_t folds) {
  std::set<std::string> held;
  for (size_t i = fold; i < order.size(); i += folds) {
    held.insert(order[i]);
  }
  return held;
}

class Validation {
 public:
  explicit Validation(const LatencyData& data) : data_(data) {
    for (const Network& network : data.networks) {
      families_.insert(FamilyOf(network.name));
      double macs = 0;
      for (const Layer& layer : network.layers) {
        macs += layer.macs;
      }
      log_macs_.push_back(std::log(std::max(macs, 1.0)));
    }
    for (const BoardRun& run : data.runs) {
      devices_.insert(run.device);
    }
  }

  Result<HeldOut> Run() {
    for (const std::string& family : families_) {
      if (auto done = HoldOutFamily(family); !done) {
        return done.error();
      }
    }
    const std::vector<std::string> devices = Shuffled(devices_);
    const std::vector<std::string> families = Shuffled(families_);
    const size_t folds = std::min(kDeviceFolds, devices.size());
    for (size_t d = 0; d < folds; ++d) {
      const auto held = FoldOf(devices, d, folds);
      if (auto done = HoldOutDevices(held, {}); !done) {
        return done.error();
      }
      for (size_t f = 0; f < kFamilyFolds; ++f) {
        if (auto done = HoldOutDevices(held, FoldOf(families, f, kFamilyFolds));
            !done) {
          return done.error();
        }
      }
    }
    return std::move(out_);
  }

 private:
  // The data without some networks' and devices' figures.
  LatencyData Without(const std::set<std::string>& devices,
                      const std::set<std::string>& families) const {
    LatencyData kept;
    std::vector<Index> rows;
    std::vector<Index> columns;
    for (size_t r = 0; r < data_.runs.size(); ++r) {
      if (!devices.contains(data_.runs[r].device)) {
        kept.runs.push_back(data_.runs[r]);
        rows.push_back(static_cast<Index>(r));
      }
    }
    for (size_t n = 0; n < data_.networks.size(); ++n) {
      if (!families.contains(FamilyOf(data_.networks[n].name))) {
        kept.networks.push_back(data_.networks[n]);
        kept.characteristics.push_back(data_.characteristics[n]);
        columns.push_back(static_cast<Index>(n));
      }
    }
    kept.log_ms = data_.log_ms(rows, columns);
    return kept;
  }

  double Actual(size_t run, size_t network) const {
    return data_.log_ms(static_cast<Index>(run), static_cast<Index>(network));
  }

  void Note(std::vector<Forecast>& list, size_t run, size_t network,
            const std::string& group, double predicted) const {
    const double actual = Actual(run, network);
    if (!std::isnan(actual) && std::isfinite(predicted)) {
      list.push_back(
          {run, network, data_.runs[run].device, group, actual, predicted});
    }
  }

  // By MACs alone: the run's usual time per MAC over `told` networks.
  double ByMacs(size_t run, const std::vector<size_t>& told,
                size_t network) const {
    std::vector<double> levels;
    for (const size_t n : told) {
      if (!std::isnan(Actual(run, n))) {
        levels.push_back(Actual(run, n) - log_macs_[n]);
      }
    }
    if (levels.empty()) {
      return kUnknown;
    }
    std::sort(levels.begin(), levels.end());
    return levels[levels.size() / 2] + log_macs_[network];
  }

  Result<void> HoldOutFamily(const std::string& family) {
    auto model = FitModel(Without({}, {family}));
    if (!model) {
      return model.error();
    }
    std::vector<size_t> told;
    for (size_t n = 0; n < data_.networks.size(); ++n) {
      if (FamilyOf(data_.networks[n].name) != family) {
        told.push_back(n);
      }
    }
    for (size_t n = 0; n < data_.networks.size(); ++n) {
      if (FamilyOf(data_.networks[n].name) != family) {
        continue;
      }
      const CostVector costs = CostsOf(data_.networks[n]);
      for (size_t r = 0; r < data_.runs.size(); ++r) {
        const KnownRun& run = model->runs[r];
        Note(out_.new_network, r, n, family, LogTime(costs, run.log_rates));
        Note(out_.new_network_macs, r, n, family, ByMacs(r, told, n));
        if (data_.characteristics[n] && run.coarse_level) {
          Note(out_.new_network_coarse, r, n, family,
               model->coarse.LogTime(CoarseTermsOf(*data_.characteristics[n]),
                                     *run.coarse_level));
        }
      }
    }
    return {};
  }

  // Networks of the model that a held-out run is told: the first reference
  // ones it was measured on, then any.
  std::vector<size_t> Told(const LatencyModel& model, size_t run) const {
    std::vector<size_t> told;
    const auto add = [&](const std::string& name) {
      for (size_t n = 0; n < data_.networks.size(); ++n) {
        if (data_.networks[n].name == name && model.FindNetwork(name) &&
            !std::isnan(Actual(run, n)) &&
            std::find(told.begin(), told.end(), n) == told.end() &&
            told.size() < static_cast<size_t>(kCalibrationNetworks)) {
          told.push_back(n);
        }
      }
    };
    for (const std::string& name : ReferenceNetworks()) {
      add(name);
    }
    for (const KnownNetwork& network : model.networks) {
      add(network.name);
    }
    return told;
  }

  Result<void> HoldOutDevices(const std::set<std::string>& devices,
                              const std::set<std::string>& families) {
    auto model = FitModel(Without(devices, families));
    if (!model) {
      return model.error();
    }
    for (size_t r = 0; r < data_.runs.size(); ++r) {
      if (devices.contains(data_.runs[r].device)) {
        ForecastRun(*model, r, families);
      }
    }
    return {};
  }

  void ForecastRun(const LatencyModel& model, size_t r,
                   const std::set<std::string>& families) {
    const BoardRun& held = data_.runs[r];
    const std::vector<size_t> told = Told(model, r);
    VectorXd log_ms =
        VectorXd::Constant(static_cast<Index>(model.networks.size()), kUnknown);
    for (const size_t n : told) {
      log_ms[static_cast<Index>(*model.FindNetwork(data_.networks[n].name))] =
          Actual(r, n);
    }
    const KnownRun placed = PlaceRun(model, held.spec, log_ms);
    const VectorXd by_spec = SpecRates(model, held.spec);
    for (size_t n = 0; n < data_.networks.size(); ++n) {
      const std::string& name = data_.networks[n].name;
      const CostVector costs = CostsOf(data_.networks[n]);
      if (!families.empty()) {
        if (families.contains(FamilyOf(name))) {
          Note(out_.new_both, r, n, held.device,
               LogTime(costs, placed.log_rates));
          Note(out_.new_both_spec, r, n, held.device, LogTime(costs, by_spec));
        }
        continue;
      }
      if (std::find(told.begin(), told.end(), n) != told.end()) {
        continue;
      }
      const size_t known = *model.FindNetwork(name);
      const double offset = model.networks[known].offset;
      Note(out_.new_device, r, n, held.device,
           LogTime(costs, placed.log_rates) + offset +
               placed.corrections[static_cast<Index>(known)]);
      Note(out_.new_device_macs, r, n, held.device, ByMacs(r, told, n));
      Note(out_.new_device_spec, r, n, held.device,
           LogTime(costs, by_spec) + offset);
    }
  }

  const LatencyData& data_;
  std::set<std::string> families_;
  std::set<std::string> devices_;
  std::vector<double> log_macs_;
  HeldOut out_;
};

}  // namespace

Result<HeldOut> CrossValidate(const LatencyData& data) {
  return Validation(data).Run();
}

}  // namespace edgewise
