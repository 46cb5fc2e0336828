// NvmlLibrary: NVIDIA's management library, loaded when there is one.
#ifndef EDGEWISE_PROBES_GPU_NVML_H_
#define EDGEWISE_PROBES_GPU_NVML_H_

#include <memory>
#include <string>

#include "base/result.h"
#include "probes/gpu/nvml_api.h"

namespace edgewise {

// Initialised while it lives.
class NvmlLibrary {
 public:
  // Loads `file`, a path or a name that the loader knows. Empty: what
  // $EDGEWISE_NVML names, else libnvidia-ml.so.1.
  // kNotFound: there is no such library, so no NVIDIA driver. Any other error:
  // the library is there, but of no use; the message says why.
  static Result<std::unique_ptr<NvmlLibrary>> Load(std::string file = {});
  ~NvmlLibrary();
  NvmlLibrary(const NvmlLibrary&) = delete;
  NvmlLibrary& operator=(const NvmlLibrary&) = delete;

  const nvml::Api& api() const { return api_; }
  // "580.159.04"; empty where it does not tell.
  std::string DriverVersion() const;

 private:
  explicit NvmlLibrary(nvml::Api api) : api_(api) {}
  nvml::Api api_;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_GPU_NVML_H_
