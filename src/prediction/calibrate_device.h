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

// The run of a device from its spec and `log_ms` (one element a network of the
// model, NaN where not measured).
KnownRun PlaceRun(const LatencyModel& model, const DeviceSpec& spec,
                  const Eigen::VectorXd& log_ms);

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
                                  const std::map<std::string, double>& ms);

}  // namespace edgewise

#endif  // EDGEWISE_PREDICTION_CALIBRATE_DEVICE_H_
