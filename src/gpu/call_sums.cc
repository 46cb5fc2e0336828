#include "gpu/call_sums.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>

#include "gpu/sums.h"

namespace edgewise::gpu {
namespace {

constexpr size_t kMostCalls = 20;

// Of one kernel: a graph has many.
bool Launches(std::string_view call) {
  return call.find("Launch") != std::string_view::npos &&
         call.find("HostFunc") == std::string_view::npos &&
         call.find("Graph") == std::string_view::npos;
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
  int64_t sum = 0;
  for (const int64_t value : values) {
    Grow(sum, value);
  }
  return sum / std::ssize(values);
}

}  // namespace

void CallSums::Add(const Trace& trace) {
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
    ++call_count_;
    Grow(use.total_ns, LengthNs(call));
    use.max_ns = std::max(use.max_ns, LengthNs(call));
    if (Launches(name)) {
      launches_ns_.push_back(LengthNs(call));
      launches.emplace(call.correlation, call.start_ns);
    } else if (Synchronises(name)) {
      Grow(synchronise_ns_, LengthNs(call));
    }
  }
  AddDelays(trace, launches);
}

// Only of kernels whose device had been idle when they were launched: others
// wait for the work before them.
void CallSums::AddDelays(
    const Trace& trace,
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

void CallSums::Fill(GpuSummary* summary) {
  summary->calls = Longest(calls_, &GpuCallUse::name, kMostCalls);
  summary->call_count = call_count_;
  summary->synchronise_ns = synchronise_ns_;
  summary->launch_mean_ns = MeanWithoutSlowest(launches_ns_);
  summary->launch_delay_ns = Median(delays_ns_);
}

}  // namespace edgewise::gpu
