// Places a new device among the known ones by a few measured networks.
#ifndef EDGEWISE_PREDICTION_CALIBRATE_DEVICE_H_
#define EDGEWISE_PREDICTION_CALIBRATE_DEVICE_H_

#include <Eigen/Dense>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "prediction/latency_model.h"

namespace edgewise {

// Networks that say most about a device, the best first.
const std::vector<std::string>& ReferenceNetworks();

// Work of another kind that was measured: a micro-kernel.
struct MeasuredWork {
  CostVector costs{};
  double ms = 0;
};
// What 1 ms of multiplying, and of reading memory, come to. Weak evidence:
// networks reach some share of either.
std::vector<MeasuredWork> MicroKernelWork(double mega_macs_per_ms,
                                          double megabytes_per_ms);

// The run of a device from its spec, `log_ms` (one element a network of the
// model, NaN where not measured) and other work.
KnownRun PlaceRun(const LatencyModel& model, const DeviceSpec& spec,
                  const Eigen::VectorXd& log_ms,
                  const std::vector<MeasuredWork>& work = {});

struct Placement {
  KnownRun run;
  std::vector<std::string> used;     // networks that were measured and known
  std::vector<std::string> ignored;  // measured, but not known to the model
  // The known run whose rates are nearest; never empty.
  std::string nearest_device;
};

// From milliseconds by network. Refuses when none of the networks is known.
Result<Placement> CalibrateDevice(const LatencyModel& model,
                                  const std::string& device,
                                  const DeviceSpec& spec,
                                  const std::map<std::string, double>& ms,
                                  const std::vector<MeasuredWork>& work = {});

// What would have been predicted of a measured network.
struct PlacementCheck {
  std::string network;
  double measured_ms = 0;
  double by_spec_ms = 0;
  double calibrated_ms = 0;  // by the other measurements
};
// One for each known network; none if there are fewer than two of these.
std::vector<PlacementCheck> CheckPlacement(
    const LatencyModel& model, const DeviceSpec& spec,
    const std::map<std::string, double>& ms,
    const std::vector<MeasuredWork>& work);

}  // namespace edgewise

#endif  // EDGEWISE_PREDICTION_CALIBRATE_DEVICE_H_
