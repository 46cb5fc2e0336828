// `edgewise calibrate --device`: adds a device to a model by a few
// measurements.
#ifndef EDGEWISE_CLI_VERBS_CALIBRATE_DEVICE_H_
#define EDGEWISE_CLI_VERBS_CALIBRATE_DEVICE_H_

#include <string>

namespace CLI {
class App;
}  // namespace CLI

namespace edgewise::cli {

struct Context;

struct DeviceOptions {
  std::string device;  // empty: not asked for
  std::string measured;
  std::string spec;
  int threads = 1;
  std::string model;
  std::string output;
};

// `options` is filled when the command line is parsed.
void AddDeviceOptions(CLI::App& verb, DeviceOptions& options);

// Returns the exit code.
int CalibrateDeviceVerb(const DeviceOptions& options, const Context& context,
                        bool json);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_VERBS_CALIBRATE_DEVICE_H_
