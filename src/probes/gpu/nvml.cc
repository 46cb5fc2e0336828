#include "probes/gpu/nvml.h"

#include <dlfcn.h>

#include <cstdlib>

namespace edgewise {
namespace {

constexpr char kLibrary[] = "libnvidia-ml.so.1";

// The first of `names` that the library has.
template <typename Function>
void Resolve(void* library, Function* function,
             std::initializer_list<const char*> names) {
  for (const char* const name : names) {
    if (void* const found = ::dlsym(library, name)) {
      *function = reinterpret_cast<Function>(found);
      return;
    }
  }
}

nvml::Api ResolveAll(void* library) {
  nvml::Api api;
  Resolve(library, &api.init, {"nvmlInit_v2", "nvmlInit"});
  Resolve(library, &api.shutdown, {"nvmlShutdown"});
  Resolve(library, &api.driver_version, {"nvmlSystemGetDriverVersion"});
  Resolve(library, &api.device_count,
          {"nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"});
  Resolve(library, &api.device,
          {"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"});
  Resolve(library, &api.name, {"nvmlDeviceGetName"});
  Resolve(library, &api.uuid, {"nvmlDeviceGetUUID"});
  Resolve(library, &api.utilization, {"nvmlDeviceGetUtilizationRates"});
  Resolve(library, &api.memory, {"nvmlDeviceGetMemoryInfo"});
  Resolve(library, &api.memory_v2, {"nvmlDeviceGetMemoryInfo_v2"});
  Resolve(library, &api.power_mw, {"nvmlDeviceGetPowerUsage"});
  Resolve(library, &api.energy_mj, {"nvmlDeviceGetTotalEnergyConsumption"});
  Resolve(library, &api.clock_mhz, {"nvmlDeviceGetClockInfo"});
  Resolve(library, &api.max_clock_mhz, {"nvmlDeviceGetMaxClockInfo"});
  Resolve(library, &api.bus_width_bits, {"nvmlDeviceGetMemoryBusWidth"});
  Resolve(library, &api.temperature, {"nvmlDeviceGetTemperature"});
  Resolve(library, &api.throttle_reasons,
          {"nvmlDeviceGetCurrentClocksEventReasons",
           "nvmlDeviceGetCurrentClocksThrottleReasons"});
  Resolve(library, &api.pcie_kib, {"nvmlDeviceGetPcieThroughput"});
  Resolve(library, &api.processes_v2,
          {"nvmlDeviceGetComputeRunningProcesses_v3",
           "nvmlDeviceGetComputeRunningProcesses_v2"});
  Resolve(library, &api.processes_v1, {"nvmlDeviceGetComputeRunningProcesses"});
  Resolve(library, &api.process_use, {"nvmlDeviceGetProcessUtilization"});
  Resolve(library, &api.gpm_support, {"nvmlGpmQueryDeviceSupport"});
  Resolve(library, &api.gpm_alloc, {"nvmlGpmSampleAlloc"});
  Resolve(library, &api.gpm_free, {"nvmlGpmSampleFree"});
  Resolve(library, &api.gpm_get, {"nvmlGpmSampleGet"});
  Resolve(library, &api.gpm_metrics, {"nvmlGpmMetricsGet"});
  return api;
}

Error ExplainInit(nvml::Status status) {
  switch (status) {
    case nvml::kDriverNotLoaded:
      return {ErrorCode::kUnsupported,
              "NVIDIA's library is there, but its kernel driver is not "
              "loaded: load it with sudo modprobe nvidia"};
    case nvml::kNoPermission:
      return {ErrorCode::kPermission,
              "NVIDIA's driver refuses this user: give it read and write "
              "access to /dev/nvidia*"};
    case nvml::kVersionMismatch:
      return {ErrorCode::kUnsupported,
              "NVIDIA's library and kernel driver are of different versions: "
              "restart the machine after the update"};
    default:
      return {ErrorCode::kUnsupported,
              "NVIDIA's library is there, but does not start (NVML error " +
                  std::to_string(status) + "): see what nvidia-smi says"};
  }
}

}  // namespace

Result<std::unique_ptr<NvmlLibrary>> NvmlLibrary::Load(std::string file) {
  if (file.empty()) {
    const char* const asked = std::getenv("EDGEWISE_NVML");
    file = asked != nullptr && *asked != '\0' ? asked : kLibrary;
  }
  // Stays loaded: the driver's libraries do not like to be unloaded.
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return Error{ErrorCode::kNotFound,
                 "there is no NVIDIA driver: " + file + " was not found"};
  }
  const nvml::Api api = ResolveAll(library);
  if (api.init == nullptr || api.shutdown == nullptr ||
      api.device_count == nullptr || api.device == nullptr) {
    return Error{ErrorCode::kUnsupported,
                 file +
                     " is not NVIDIA's management library: it lacks the "
                     "functions that list devices"};
  }
  if (const nvml::Status status = api.init(); status != nvml::kSuccess) {
    return ExplainInit(status);
  }
  return std::unique_ptr<NvmlLibrary>(new NvmlLibrary(api));
}

NvmlLibrary::~NvmlLibrary() { api_.shutdown(); }

std::string NvmlLibrary::DriverVersion() const {
  char text[81] = {};
  if (api_.driver_version == nullptr ||
      api_.driver_version(text, sizeof text - 1) != nvml::kSuccess) {
    return "";
  }
  return text;
}

}  // namespace edgewise
