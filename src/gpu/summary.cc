#include "gpu/summary.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "gpu/intervals.h"
#include "gpu/occupancy.h"
#include "gpu/trace_reader.h"

namespace edgewise {
namespace {

using gpu::CallRecord;
using gpu::CopyRecord;
using gpu::Interval;
using gpu::KernelRecord;
using gpu::Trace;

constexpr size_t kMostKernels = 50;
constexpr size_t kMostCalls = 20;

template <typename Record>
int64_t LengthNs(const Record& record) {
  return static_cast<int64_t>(record.end_ns - record.start_ns);
}

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
    case 10:
      return "between devices";
    default:
      return "other";
  }
}

bool Launches(std::string_view call) {
  return call.find("Launch") != std::string_view::npos &&
         call.find("HostFunc") == std::string_view::npos;
}

bool Synchronises(std::string_view call) {
  return call.find("Synchronize") != std::string_view::npos;
}

// CUPTI tells the runtime's functions by the version that brought them:
// "cudaMalloc_v3020".
std::string PlainName(const std::string& call) {
  const size_t version = call.rfind("_v");
  const bool dated =
      call.starts_with("cuda") && version != std::string::npos &&
      version + 2 < call.size() &&
      call.find_first_not_of("0123456789", version + 2) == std::string::npos;
  return dated ? call.substr(0, version) : call;
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
  void AddCalls(const Trace& trace);
  void AddDelays(const Trace& trace,
                 const std::unordered_map<uint32_t, uint64_t>& launches);
  void AddTimes(Work& work);

  GpuSummary summary_;
  std::map<std::string, GpuKernelUse> kernels_;
  std::map<std::string, GpuCopyUse> copies_;
  std::map<std::string, GpuCallUse> calls_;
  // By the device's name and number: devices of two processes with the same
  // number are the same.
  std::map<std::pair<std::string, uint32_t>, Work> work_;
  std::vector<int64_t> launches_ns_;
  std::vector<int64_t> delays_ns_;
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
  use.total_ns += length_ns;
  ++summary_.kernel_count;
}

void Sums::AddCopy(const CopyRecord& copy) {
  GpuCopyUse& use = copies_[WayOf(copy)];
  ++use.count;
  use.bytes +=
      static_cast<int64_t>(std::min<uint64_t>(copy.bytes, uint64_t{1} << 50));
  use.total_ns += LengthNs(copy);
  if (copy.source == gpu::kPageableMemory ||
      copy.target == gpu::kPageableMemory) {
    ++use.pageable_count;
    use.pageable_ns += LengthNs(copy);
  }
}

void Sums::AddCalls(const Trace& trace) {
  // The runtime calls the driver: only the outer call counts.
  std::vector<CallRecord> calls = trace.calls;
  std::sort(calls.begin(), calls.end(),
            [](const CallRecord& a, const CallRecord& b) {
              return std::make_tuple(a.thread, a.start_ns, b.end_ns) <
                     std::make_tuple(b.thread, b.start_ns, a.end_ns);
            });
  const CallRecord* outer = nullptr;
  std::unordered_map<uint32_t, uint64_t> launches;
  for (const CallRecord& call : calls) {
    const std::string name = PlainName(trace.NameOf(call.name));
    const bool within = outer != nullptr && outer->thread == call.thread &&
                        call.end_ns <= outer->end_ns &&
                        call.start_ns < outer->end_ns;
    if (within) {
      continue;
    }
    outer = &call;
    GpuCallUse& use = calls_[name];
    ++use.count;
    ++summary_.call_count;
    use.total_ns += LengthNs(call);
    use.max_ns = std::max(use.max_ns, LengthNs(call));
    if (Launches(name)) {
      launches_ns_.push_back(LengthNs(call));
      launches.emplace(call.correlation, call.start_ns);
    } else if (Synchronises(name)) {
      summary_.synchronise_ns += LengthNs(call);
    }
  }
  AddDelays(trace, launches);
}

// Only of kernels whose device had been idle when they were launched: others
// wait for the work before them.
void Sums::AddDelays(const Trace& trace,
                     const std::unordered_map<uint32_t, uint64_t>& launches) {
  std::map<uint32_t, std::vector<const KernelRecord*>> by_device;
  for (const KernelRecord& kernel : trace.kernels) {
    by_device[kernel.device].push_back(&kernel);
  }
  for (auto& [device, kernels] : by_device) {
    std::sort(kernels.begin(), kernels.end(),
              [](const KernelRecord* a, const KernelRecord* b) {
                return a->start_ns < b->start_ns;
              });
    uint64_t busy_until_ns = 0;
    for (const KernelRecord* kernel : kernels) {
      const auto launch = launches.find(kernel->correlation);
      if (launch != launches.end() && launch->second >= busy_until_ns &&
          launch->second <= kernel->start_ns) {
        delays_ns_.push_back(
            static_cast<int64_t>(kernel->start_ns - launch->second));
      }
      busy_until_ns = std::max(busy_until_ns, kernel->end_ns);
    }
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
  AddCalls(trace);
  const auto bounded = [](uint64_t value) {
    return static_cast<int64_t>(std::min<uint64_t>(value, uint64_t{1} << 60));
  };
  summary_.dropped += bounded(trace.account.dropped);
  summary_.left_out += bounded(trace.account.left_out);
  summary_.recording_ns +=
      bounded(trace.account.writing_ns) + bounded(trace.account.overhead_ns);
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
  summary_.kernel_ns += static_cast<int64_t>(gpu::TotalNs(kernels));
  summary_.copy_ns += static_cast<int64_t>(gpu::TotalNs(copies));
  summary_.overlap_ns += static_cast<int64_t>(gpu::SharedNs(kernels, copies));
  summary_.busy_ns += static_cast<int64_t>(gpu::TotalNs(all));
  summary_.span_ns +=
      static_cast<int64_t>(all.back().end_ns - all.front().start_ns);
  for (size_t i = 1; i < all.size(); ++i) {
    ++summary_.gap_count;
    summary_.longest_gap_ns =
        std::max(summary_.longest_gap_ns,
                 static_cast<int64_t>(all[i].start_ns - all[i - 1].end_ns));
  }
}

// The values of `uses` under their keys, the longest first, at most `most`.
template <typename Use>
std::vector<Use> Longest(std::map<std::string, Use>& uses,
                         std::string Use::*name, size_t most) {
  std::vector<Use> sorted;
  for (auto& [key, use] : uses) {
    use.*name = key;
    sorted.push_back(std::move(use));
  }
  std::stable_sort(
      sorted.begin(), sorted.end(),
      [](const Use& a, const Use& b) { return a.total_ns > b.total_ns; });
  sorted.resize(std::min(sorted.size(), most));
  return sorted;
}

// The upper one of two; nullopt of none.
std::optional<int64_t> Median(std::vector<int64_t>& values) {
  if (values.empty()) {
    return std::nullopt;
  }
  const auto middle =
      values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Without the slowest 5%; nullopt of none.
std::optional<int64_t> MeanWithoutSlowest(std::vector<int64_t>& values) {
  if (values.empty()) {
    return std::nullopt;
  }
  std::sort(values.begin(), values.end());
  values.resize(values.size() - values.size() / 20);
  return std::accumulate(values.begin(), values.end(), int64_t{0}) /
         std::ssize(values);
}

GpuSummary Sums::Take() {
  for (auto& [device, work] : work_) {
    summary_.devices.push_back(device.first);
    AddTimes(work);
  }
  summary_.kernels = Longest(kernels_, &GpuKernelUse::name, kMostKernels);
  summary_.copies = Longest(copies_, &GpuCopyUse::way, copies_.size());
  summary_.calls = Longest(calls_, &GpuCallUse::name, kMostCalls);
  summary_.launch_mean_ns = MeanWithoutSlowest(launches_ns_);
  summary_.launch_delay_ns = Median(delays_ns_);
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
