// GpuSampler: reads the GPUs of the machine on a thread of its own, since
// NVIDIA's driver may take tens of milliseconds to answer and nothing else of a
// session should wait for it.
#ifndef EDGEWISE_SESSIONS_GPU_SAMPLER_H_
#define EDGEWISE_SESSIONS_GPU_SAMPLER_H_

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/result.h"
#include "probes/gpu/gpu_probe.h"

namespace edgewise {

class GpuSampler {
 public:
  // kNotFound: there is no NVIDIA driver.
  static Result<std::unique_ptr<GpuSampler>> Open();
  explicit GpuSampler(GpuProbe probe);
  ~GpuSampler();

  const std::vector<GpuDevice>& devices() const { return devices_; }
  // Reads once, then lightly every 200 ms on its thread, more rarely if that
  // took more than 1% of a core, and fully now and then for another half
  // percent. Signals that are blocked now stay so in the thread.
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
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ending_ = false;
  std::vector<std::vector<GpuReading>> readings_;
  std::thread thread_;
};

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_GPU_SAMPLER_H_
