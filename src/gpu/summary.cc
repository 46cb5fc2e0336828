#include "gpu/summary.h"

#include <algorithm>
#include <map>
#include <utility>

#include "gpu/call_sums.h"
#include "gpu/intervals.h"
#include "gpu/occupancy.h"
#include "gpu/sums.h"
#include "gpu/trace_reader.h"

namespace edgewise {
namespace {

using gpu::CopyRecord;
using gpu::Grow;
using gpu::Interval;
using gpu::KernelRecord;
using gpu::LengthNs;
using gpu::Longest;
using gpu::Trace;

constexpr size_t kMostKernels = 50;

const char* WayOf(const CopyRecord& copy) {
  switch (copy.kind) {
    case 1:
    case 3:
      return "host to device";
    case 2:
    case 4:
      return "device to host";
    case 5:
    case 6:
    case 7:
    case 8:
      return "on the device";
    case 9:
      return "on the host";
    case 10:
      return "between devices";
    default:
      return "other";
  }
}

bool CrossesTheBus(const CopyRecord& copy) {
  return copy.kind >= 1 && copy.kind <= 4;
}

// The records of all processes, added up name by name.
class Sums {
 public:
  void Add(const Trace& trace);
  GpuSummary Take();

 private:
  struct Work {
    std::vector<Interval> kernels;
    std::vector<Interval> copies;
    std::vector<Interval> all;
  };

  void AddKernel(const Trace& trace, const KernelRecord& kernel);
  void AddCopy(const CopyRecord& copy);
  void AddTimes(Work& work);

  GpuSummary summary_;
  std::map<std::string, GpuKernelUse> kernels_;
  std::map<std::string, GpuCopyUse> copies_;
  gpu::CallSums calls_;
  // By the device's name and number: devices of two processes with the same
  // number are the same.
  std::map<std::pair<std::string, uint32_t>, Work> work_;
};

void Sums::AddKernel(const Trace& trace, const KernelRecord& kernel) {
  const int64_t length_ns = LengthNs(kernel);
  GpuKernelUse& use = kernels_[trace.NameOf(kernel.name)];
  if (use.count == 0 || length_ns > use.max_ns) {
    use.max_ns = length_ns;
    use.blocks = static_cast<int64_t>(
        std::min<uint64_t>(kernel.blocks, uint64_t{1} << 62));
    use.block_threads = kernel.block_threads;
    use.thread_registers = kernel.thread_registers;
    use.shared_bytes = kernel.shared_bytes;
    if (const auto device = trace.devices.find(kernel.device);
        device != trace.devices.end()) {
      if (const auto bound = gpu::OccupancyLimit(kernel, device->second)) {
        use.occupancy_percent = bound->percent;
        use.occupancy_limit = bound->limit;
      }
    }
  }
  use.min_ns = use.count == 0 ? length_ns : std::min(use.min_ns, length_ns);
  ++use.count;
  Grow(use.total_ns, length_ns);
  ++summary_.kernel_count;
}

void Sums::AddCopy(const CopyRecord& copy) {
  GpuCopyUse& use = copies_[WayOf(copy)];
  ++use.count;
  Grow(use.bytes, copy.bytes);
  Grow(use.total_ns, LengthNs(copy));
  if (CrossesTheBus(copy) && (copy.source == gpu::kPageableMemory ||
                              copy.target == gpu::kPageableMemory)) {
    ++use.pageable_count;
    Grow(use.pageable_ns, LengthNs(copy));
  }
}

void Sums::Add(const Trace& trace) {
  if (trace.kernels.empty() && trace.copies.empty() && trace.sets.empty() &&
      trace.calls.empty()) {
    return;
  }
  ++summary_.processes;
  const auto work_of = [&](uint32_t device) -> Work& {
    const auto known = trace.devices.find(device);
    return work_[{
        known != trace.devices.end() ? trace.NameOf(known->second.name) : "GPU",
        device}];
  };
  for (const KernelRecord& kernel : trace.kernels) {
    AddKernel(trace, kernel);
    work_of(kernel.device).kernels.push_back({kernel.start_ns, kernel.end_ns});
    if (const auto device = trace.devices.find(kernel.device);
        summary_.multiprocessors == 0 && device != trace.devices.end()) {
      summary_.multiprocessors = device->second.multiprocessors;
    }
  }
  for (const CopyRecord& copy : trace.copies) {
    AddCopy(copy);
    work_of(copy.device).copies.push_back({copy.start_ns, copy.end_ns});
  }
  for (const gpu::SetRecord& set : trace.sets) {
    work_of(set.device).all.push_back({set.start_ns, set.end_ns});
  }
  calls_.Add(trace);
  Grow(summary_.dropped, trace.account.dropped);
  Grow(summary_.left_out, trace.account.left_out);
  Grow(summary_.recording_ns, trace.account.writing_ns);
  Grow(summary_.recording_ns, trace.account.overhead_ns);
}

void Sums::AddTimes(Work& work) {
  work.all.insert(work.all.end(), work.kernels.begin(), work.kernels.end());
  work.all.insert(work.all.end(), work.copies.begin(), work.copies.end());
  const auto kernels = gpu::Union(std::move(work.kernels));
  const auto copies = gpu::Union(std::move(work.copies));
  const auto all = gpu::Union(std::move(work.all));
  if (all.empty()) {
    return;
  }
  Grow(summary_.kernel_ns, gpu::TotalNs(kernels));
  Grow(summary_.copy_ns, gpu::TotalNs(copies));
  Grow(summary_.overlap_ns, gpu::SharedNs(kernels, copies));
  Grow(summary_.busy_ns, gpu::TotalNs(all));
  Grow(summary_.span_ns, all.back().end_ns - all.front().start_ns);
  for (size_t i = 1; i < all.size(); ++i) {
    ++summary_.gap_count;
    summary_.longest_gap_ns =
        std::max(summary_.longest_gap_ns,
                 static_cast<int64_t>(all[i].start_ns - all[i - 1].end_ns));
  }
}

GpuSummary Sums::Take() {
  for (auto& [device, work] : work_) {
    summary_.devices.push_back(device.first);
    AddTimes(work);
  }
  summary_.kernels = Longest(kernels_, &GpuKernelUse::name, kMostKernels);
  summary_.copies = Longest(copies_, &GpuCopyUse::way, copies_.size());
  calls_.Fill(&summary_);
  return std::move(summary_);
}

}  // namespace

std::optional<GpuSummary> SummariseGpu(std::span<const gpu::Trace> traces) {
  Sums sums;
  for (const Trace& trace : traces) {
    sums.Add(trace);
  }
  GpuSummary summary = sums.Take();
  return summary.processes > 0 ? std::optional(std::move(summary))
                               : std::nullopt;
}

}  // namespace edgewise
