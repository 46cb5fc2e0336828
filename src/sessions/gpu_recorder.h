// GpuRecorder: the GPUs of a Run: their series, and what they come to at the
// end. On a Jetson, tegrastats tells what NVML does not.
//
// Does nothing where there is neither an NVIDIA GPU nor tegrastats. Not
// thread-safe.
#ifndef EDGEWISE_SESSIONS_GPU_RECORDER_H_
#define EDGEWISE_SESSIONS_GPU_RECORDER_H_

#include <sys/types.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/unavailable.h"
#include "probes/gpu/tegrastats_reader.h"
#include "sessions/gpu_sampler.h"
#include "store/run.h"
#include "store/run_writer.h"

namespace edgewise {

class GpuRecorder {
 public:
  // `writer` must outlive it.
  explicit GpuRecorder(RunWriter& writer);

  // The first reading; series count from `start_ns`.
  void Start(int64_t start_ns);
  // Takes what was read meanwhile. `pids` are the program's processes now.
  void Sample(int64_t now_ns, const std::vector<pid_t>& pids);
  // A last reading, while the program's processes may be gone.
  void Stop(int64_t now_ns, const std::vector<pid_t>& pids);
  // Sets Run::gpu where there is a GPU; else says why there is none, if
  // something was amiss.
  void Fill(Run* run) const;

 private:
  // What is summed up of one device.
  struct DeviceSums {
    std::optional<int64_t> memory_peak_bytes;
    double busy_percent = 0;
    int64_t busy_readings = 0;
    std::optional<double> joules;
  };
  void Record(const std::vector<GpuReading>& readings);
  void RecordDevice(size_t index, const GpuReading& reading);
  void RecordProgram(const std::vector<GpuReading>& readings);
  void RecordTegra(int64_t now_ns, const TegraStats& stats);
  void AddPoint(const std::string& name, const char* unit, int64_t at_ns,
                std::optional<double> value);
  std::string SeriesName(const char* what, size_t index) const;
  bool IsOurs(pid_t pid) const;
  // A warning of what held the GPU back; empty if nothing did.
  std::string ThrottleText() const;

  RunWriter& writer_;
  int64_t start_ns_ = 0;
  std::unique_ptr<GpuSampler> sampler_;
  std::optional<TegrastatsReader> tegrastats_;
  std::optional<Unavailable> unavailable_;
  // The program's processes at this look and the one before: a reading is
  // older than the look that takes it.
  std::vector<pid_t> pids_;
  std::vector<pid_t> pids_before_;

  std::vector<DeviceSums> sums_;
  std::optional<int64_t> program_peak_bytes_;
  std::optional<double> program_most_bytes_per_s_;
  bool shared_ = false;  // others used a GPU beside the program
  uint64_t throttle_bits_ = 0;
  int64_t readings_ = 0;
  int64_t throttled_readings_ = 0;
};

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_GPU_RECORDER_H_
