// Predictions of what a fit has not seen: whole families of networks, whole
// devices, or both are held out, never single rows.
#ifndef EDGEWISE_PREDICTION_CROSS_VALIDATION_H_
#define EDGEWISE_PREDICTION_CROSS_VALIDATION_H_

#include <vector>

#include "base/result.h"
#include "prediction/data_tables.h"
#include "prediction/metrics.h"

namespace edgewise {

// Of how many networks a held-out device is told.
inline constexpr int kCalibrationNetworks = 5;

// Forecasts by the way they were made. Groups are what was held out: the
// network's family, or the device.
struct HeldOut {
  // Every family of networks in turn; devices known.
  std::vector<Forecast> new_network;
  std::vector<Forecast> new_network_macs;  // by MACs and the run's level alone
  std::vector<Forecast> new_network_coarse;  // by the eight fields
  // Devices in turn, each told kCalibrationNetworks networks; networks known.
  std::vector<Forecast> new_device;
  std::vector<Forecast> new_device_macs;
  std::vector<Forecast> new_device_spec;  // told nothing
  // Families and devices at once.
  std::vector<Forecast> new_both;
  std::vector<Forecast> new_both_spec;
};

// Deterministic. Takes some tens of fits.
Result<HeldOut> CrossValidate(const LatencyData& data);

}  // namespace edgewise

#endif  // EDGEWISE_PREDICTION_CROSS_VALIDATION_H_
