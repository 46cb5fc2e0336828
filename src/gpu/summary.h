// GpuSummary: what a program did on its GPUs, summed up from its traces.
//
// Knows kernels, copies, calls and their times; must not know how they were
// recorded or how they are shown. All records are counted, none is sampled:
// the sums are exact for what was recorded, and `left_out` says what was not.
#ifndef EDGEWISE_GPU_SUMMARY_H_
#define EDGEWISE_GPU_SUMMARY_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace edgewise {

namespace gpu {
struct Trace;
}  // namespace gpu

struct GpuKernelUse {
  std::string name;
  int64_t count = 0;
  int64_t total_ns = 0;
  int64_t min_ns = 0;
  int64_t max_ns = 0;
  // Of its longest launch.
  int64_t blocks = 0;
  int64_t block_threads = 0;
  int64_t thread_registers = 0;
  int64_t shared_bytes = 0;
  std::optional<double> occupancy_percent;  // an upper bound
  std::string occupancy_limit;  // what keeps it below 100%; empty: nothing
};

// Copies one way: "host to device", "device to host", "on the device",
// "between devices", "on the host", "other".
struct GpuCopyUse {
  std::string way;
  int64_t count = 0;
  int64_t bytes = 0;
  int64_t total_ns = 0;
  int64_t pageable_count = 0;  // from or to memory that is not pinned
  int64_t pageable_ns = 0;
};

// A call of the CUDA runtime or driver; calls within calls are not counted.
struct GpuCallUse {
  std::string name;
  int64_t count = 0;
  int64_t total_ns = 0;
  int64_t max_ns = 0;
};

struct GpuSummary {
  int64_t processes = 0;
  std::vector<std::string> devices;  // names of those that were used
  int64_t multiprocessors = 0;       // of the first of them; 0: not known
  int64_t kernel_count = 0;
  std::vector<GpuKernelUse> kernels;  // the longest first; bounded
  std::vector<GpuCopyUse> copies;     // the longest first
  std::vector<GpuCallUse> calls;      // the longest first; bounded
  int64_t call_count = 0;

  // From the first work on a device to the last, summed over devices; of it:
  int64_t span_ns = 0;
  int64_t busy_ns = 0;     // some kernel, copy or fill was under way
  int64_t kernel_ns = 0;   // some kernel was
  int64_t copy_ns = 0;     // some copy was
  int64_t overlap_ns = 0;  // both at once
  int64_t gap_count = 0;   // stretches of nothing
  int64_t longest_gap_ns = 0;

  // Of calls that launch kernels, without the slowest 5%, which load code.
  std::optional<int64_t> launch_mean_ns;
  // From such a call to the start of its kernel, where the GPU had nothing
  // else to do: half of them take no longer.
  std::optional<int64_t> launch_delay_ns;
  int64_t synchronise_ns = 0;  // within calls that wait for the GPU

  int64_t dropped = 0;   // records that CUPTI lost
  int64_t left_out = 0;  // records beyond what a trace may hold
  // What recording took of the program's CPU time, by CUPTI's account and ours.
  int64_t recording_ns = 0;
};

// nullopt if the traces hold no work at all.
std::optional<GpuSummary> SummariseGpu(std::span<const gpu::Trace> traces);

// What to change, in plain words; the most promising first.
std::vector<std::string> GpuAdvice(const GpuSummary& summary);

}  // namespace edgewise

#endif  // EDGEWISE_GPU_SUMMARY_H_
