// The fields of a Run's GPUs, for run_json.cc alone: Fields(io, x) calls
// io(name, field) for every field of x.
#ifndef EDGEWISE_STORE_GPU_FIELDS_H_
#define EDGEWISE_STORE_GPU_FIELDS_H_

#include <type_traits>

#include "gpu/summary.h"
#include "store/run.h"

namespace edgewise {

template <typename Io, typename T>
requires std::is_same_v<std::remove_const_t<T>, GpuKernelUse>
void Fields(Io& io, T& kernel) {
  io("name", kernel.name);
  io("count", kernel.count);
  io("total_ns", kernel.total_ns);
  io("min_ns", kernel.min_ns);
  io("max_ns", kernel.max_ns);
  io("blocks", kernel.blocks);
  io("block_threads", kernel.block_threads);
  io("thread_registers", kernel.thread_registers);
  io("shared_bytes", kernel.shared_bytes);
  io("occupancy_percent", kernel.occupancy_percent);
  io("occupancy_limit", kernel.occupancy_limit);
}

template <typename Io, typename T>
requires std::is_same_v<std::remove_const_t<T>, GpuCopyUse>
void Fields(Io& io, T& copies) {
  io("way", copies.way);
  io("count", copies.count);
  io("bytes", copies.bytes);
  io("total_ns", copies.total_ns);
  io("pageable_count", copies.pageable_count);
  io("pageable_ns", copies.pageable_ns);
}

template <typename Io, typename T>
requires std::is_same_v<std::remove_const_t<T>, GpuCallUse>
void Fields(Io& io, T& call) {
  io("name", call.name);
  io("count", call.count);
  io("total_ns", call.total_ns);
  io("max_ns", call.max_ns);
}

template <typename Io, typename T>
requires std::is_same_v<std::remove_const_t<T>, GpuSummary>
void Fields(Io& io, T& summary) {
  io("processes", summary.processes);
  io("devices", summary.devices);
  io("multiprocessors", summary.multiprocessors);
  io("kernel_count", summary.kernel_count);
  io("kernels", summary.kernels);
  io("copies", summary.copies);
  io("calls", summary.calls);
  io("call_count", summary.call_count);
  io("span_ns", summary.span_ns);
  io("busy_ns", summary.busy_ns);
  io("kernel_ns", summary.kernel_ns);
  io("copy_ns", summary.copy_ns);
  io("overlap_ns", summary.overlap_ns);
  io("gap_count", summary.gap_count);
  io("longest_gap_ns", summary.longest_gap_ns);
  io("launch_mean_ns", summary.launch_mean_ns);
  io("launch_delay_ns", summary.launch_delay_ns);
  io("synchronise_ns", summary.synchronise_ns);
  io("dropped", summary.dropped);
  io("left_out", summary.left_out);
  io("recording_ns", summary.recording_ns);
}

template <typename Io, typename T>
requires std::is_same_v<std::remove_const_t<T>, GpuUse>
void Fields(Io& io, T& use) {
  io("name", use.name);
  io("memory_bytes", use.memory_bytes);
  io("memory_peak_bytes", use.memory_peak_bytes);
  io("peak_bytes_per_s", use.peak_bytes_per_s);
  io("busy_percent", use.busy_percent);
  io("energy_j", use.energy_j);
}

template <typename Io, typename T>
requires std::is_same_v<std::remove_const_t<T>, GpuAccount>
void Fields(Io& io, T& account) {
  io("devices", account.devices);
  io("memory_peak_bytes", account.memory_peak_bytes);
  io("most_bytes_per_s", account.most_bytes_per_s);
  io("summary", account.summary);
}

}  // namespace edgewise

#endif  // EDGEWISE_STORE_GPU_FIELDS_H_
