// GpuSampler: reads the GPUs of the machine on a thread of its own, since
// NVIDIA's driver may take tens of milliseconds to answer and nothing else of a
// session should wait for it.
#ifndef EDGEWISE_SESSIONS_GPU_SAMPLER_H_
#define EDGEWISE_SESSIONS_GPU_SAMPLER_H_

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "probes/gpu/gpu_probe.h"

namespace edgewise {

// How often at most; more rarely where a light reading would take more than 1%
// of a core, or full ones another half percent.
struct GpuPace {
  int64_t light_every_ns = 200 * kNsPerMs;
  int64_t full_every_ns = kNsPerSecond;
};

class GpuSampler {
 public:
  // kNotFound: there is no NVIDIA driver.
  static Result<std::unique_ptr<GpuSampler>> Open(GpuPace pace);
  GpuSampler(GpuProbe probe, GpuPace pace);
  ~GpuSampler();

  const std::vector<GpuDevice>& devices() const { return devices_; }
  // Reads once, then on its thread. Signals that are blocked now stay so in
  // the thread.
  void Start();
  // What was read since the last call: for each moment one reading per device.
  std::vector<std::vector<GpuReading>> TakeReadings();
  // Reads a last time and ends the thread.
  void Stop();

 private:
  void Work();
  // Returns the CPU time it took, of the calling thread.
  int64_t ReadOnce(GpuProbe::Depth depth);

  GpuProbe probe_;  // the thread's, while there is one
  const std::vector<GpuDevice> devices_;
  const GpuPace pace_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ending_ = false;
  std::vector<std::vector<GpuReading>> readings_;
  std::thread thread_;
};

// The path of tegrastats, where it is installed and tells more than NVML: there
// is no `sampler`, or all its GPUs are parts of a Jetson's chip.
std::optional<std::string> FindTegrastats(const GpuSampler* sampler);

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_GPU_SAMPLER_H_
