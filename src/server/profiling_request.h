// What a SOPRANO caller sends: a model's eight fields and, stand-alone, the
// device and its state.
#ifndef EDGEWISE_SERVER_PROFILING_REQUEST_H_
#define EDGEWISE_SERVER_PROFILING_REQUEST_H_

#include <optional>
#include <string>
#include <string_view>

#include "prediction/characteristics.h"
#include "server/flat_object.h"

namespace edgewise {

// Set where the body names a device.
struct DeviceAsked {
  std::string type;
  double cpu_percent = 0;
  double disk_percent = 0;
};

struct ProfilingRequest {
  Characteristics model;
  std::optional<DeviceAsked> device;
  std::string echo;  // the whole body, keys sorted
};

// The problem names the field and why. Other members are allowed.
OrProblem<ProfilingRequest> ReadProfilingRequest(std::string_view body);

// The eight fields of an object.
OrProblem<Characteristics> ReadModelFields(const FlatObject& object);

// A number from `least` to `most`; the problem names the field.
OrProblem<double> ReadNumber(const FlatObject& object, const std::string& key,
                             double least, double most);

}  // namespace edgewise

#endif  // EDGEWISE_SERVER_PROFILING_REQUEST_H_
