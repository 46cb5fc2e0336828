#include "prediction/latency_model.h"

#include <cmath>

namespace edgewise {

std::string_view BasisName(Basis basis) {
  constexpr std::array<std::string_view, kBases> kNames = {
      "known_device", "calibrated", "calibrated_new_network", "spec_only",
      "coarse"};
  return kNames[static_cast<size_t>(basis)];
}

std::optional<size_t> LatencyModel::FindNetwork(const std::string& name) const {
  for (size_t n = 0; n < networks.size(); ++n) {
    if (networks[n].name == name) {
      return n;
    }
  }
  return std::nullopt;
}

Eigen::VectorXd SpecRates(const LatencyModel& model, const DeviceSpec& spec) {
  return model.mean + model.spec_weights.transpose() * SpecTermsOf(spec);
}

double LogTime(const CostVector& costs, const Eigen::VectorXd& log_rates) {
  double ms = 0;
  for (size_t k = 0; k < kCostTerms; ++k) {
    ms += costs[k] * std::exp(log_rates[static_cast<Eigen::Index>(k)]);
  }
  return std::log(ms);
}

}  // namespace edgewise
