// A trained model: what the fleet's runs cost per unit of work, what an unknown
// device's rates would be by its spec, and how far its predictions miss.
//
// Immutable once trained or read; may be used from several threads.
#ifndef EDGEWISE_PREDICTION_LATENCY_MODEL_H_
#define EDGEWISE_PREDICTION_LATENCY_MODEL_H_

#include <Eigen/Dense>
#include <optional>
#include <string>
#include <vector>

#include "prediction/coarse_model.h"
#include "prediction/conformal.h"
#include "prediction/cost_terms.h"
#include "prediction/device_spec.h"
#include "prediction/load_response.h"
#include "prediction/metrics.h"

namespace edgewise {

struct KnownNetwork {
  std::string name;
  CostVector costs{};
  // What it takes on all runs alike beyond its costs, in logarithms.
  double offset = 0;
  double noise = 0;
  std::optional<CoarseVector> coarse;
};

struct KnownRun {
  std::string id;
  std::string device;
  std::string note;
  DeviceSpec spec;
  Eigen::VectorXd log_rates;
  std::optional<double> coarse_level;
  // Placed by a few measurements (`edgewise calibrate --device`): by network of
  // the model, what these say of it beyond the rates. Empty for a run that the
  // model was trained on.
  Eigen::VectorXd corrections;
};

// What a prediction rests on; each has its own interval.
enum class Basis {
  kKnownDevice,           // the device was measured on many networks
  kCalibrated,            // on a few, and the network is a known one
  kCalibratedNewNetwork,  // on a few, and the network is new
  kSpecOnly,              // the device was never measured
  kCoarse,                // only the eight fields of the network are known
};
inline constexpr int kBases = 5;
std::string_view BasisName(Basis basis);

struct NamedMetrics {
  std::string name;
  Metrics metrics;
};

struct LatencyModel {
  std::string source;  // whose measurements it was trained on
  std::string data_digest;
  int64_t measurements = 0;
  std::vector<KnownNetwork> networks;
  std::vector<KnownRun> runs;
  // An unknown run's log rates: mean + spec_weights^T * spec terms, give or
  // take the covariance.
  Eigen::VectorXd mean;
  Eigen::MatrixXd spec_weights;  // kSpecTerms x kCostTerms
  Eigen::MatrixXd spec_covariance;
  // How the rests of the known networks go together, networks x networks.
  Eigen::MatrixXd rest_covariance;
  CoarseModel coarse;
  // Beside other load; nullopt: trained without measurements under load.
  std::optional<LoadResponse> load;
  // By Basis; nullopt: too few groups to say.
  std::array<std::optional<IntervalWidth>, kBases> widths;
  std::vector<NamedMetrics> metrics;

  std::optional<size_t> FindNetwork(const std::string& name) const;
};

// The log rates that a device's spec suggests.
Eigen::VectorXd SpecRates(const LatencyModel& model, const DeviceSpec& spec);

// Log of milliseconds at given rates.
double LogTime(const CostVector& costs, const Eigen::VectorXd& log_rates);

}  // namespace edgewise

#endif  // EDGEWISE_PREDICTION_LATENCY_MODEL_H_
