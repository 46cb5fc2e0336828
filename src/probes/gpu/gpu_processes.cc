#include "probes/gpu/gpu_processes.h"

#include <algorithm>

namespace edgewise {
namespace {

// More than a GPU serves at once.
constexpr unsigned int kMostProcesses = 1024;

// Asks for all entries of a list that grows while it is asked for; nullopt
// where the driver refuses.
template <typename Entry, typename Function>
std::optional<std::vector<Entry>> AskList(Function function,
                                          nvml::Device device) {
  if (function == nullptr) {
    return std::nullopt;
  }
  std::vector<Entry> entries(16);
  while (true) {
    auto count = static_cast<unsigned int>(entries.size());
    const nvml::Status status = function(device, &count, entries.data());
    if (status == nvml::kSuccess) {
      entries.resize(std::min<size_t>(count, entries.size()));
      return entries;
    }
    if (status != nvml::kInsufficientSize || entries.size() >= kMostProcesses) {
      return std::nullopt;
    }
    entries.resize(entries.size() * 4);
  }
}

template <typename Entry>
std::vector<GpuProcess> ToProcesses(const std::vector<Entry>& entries) {
  std::vector<GpuProcess> processes;
  for (const Entry& entry : entries) {
    GpuProcess process;
    process.pid = static_cast<pid_t>(entry.pid);
    if (entry.used_bytes != nvml::kNoValue && entry.used_bytes < 1ULL << 50) {
      process.memory_bytes = static_cast<int64_t>(entry.used_bytes);
    }
    processes.push_back(process);
  }
  return processes;
}

}  // namespace

std::map<pid_t, double> GpuProcesses::ReadShares(const nvml::Api& api,
                                                 nvml::Device device) {
  std::map<pid_t, double> shares;
  if (api.process_use == nullptr) {
    return shares;
  }
  std::vector<nvml::ProcessUse> samples(kMostProcesses);
  auto count = static_cast<unsigned int>(samples.size());
  if (api.process_use(device, samples.data(), &count, last_seen_us_) !=
      nvml::kSuccess) {
    return shares;
  }
  samples.resize(std::min<size_t>(count, samples.size()));
  std::map<pid_t, int> counts;
  for (const nvml::ProcessUse& sample : samples) {
    last_seen_us_ = std::max(last_seen_us_, sample.timestamp_us);
    if (sample.pid == 0 || sample.sm_percent > 100) {
      continue;  // an empty slot, or rubbish
    }
    const auto pid = static_cast<pid_t>(sample.pid);
    shares[pid] += sample.sm_percent;
    ++counts[pid];
  }
  for (auto& [pid, share] : shares) {
    share /= counts[pid];
  }
  return shares;
}

std::optional<std::vector<GpuProcess>> GpuProcesses::Read(const nvml::Api& api,
                                                          nvml::Device device,
                                                          bool with_shares) {
  std::optional<std::vector<GpuProcess>> processes;
  if (api.processes_v2 != nullptr) {
    if (const auto newer = AskList<nvml::ProcessV2>(api.processes_v2, device)) {
      processes = ToProcesses(*newer);
    }
  } else if (const auto older =
                 AskList<nvml::ProcessV1>(api.processes_v1, device)) {
    processes = ToProcesses(*older);
  }
  if (!processes || !with_shares) {
    return processes;
  }
  const std::map<pid_t, double> shares = ReadShares(api, device);
  for (GpuProcess& process : *processes) {
    if (const auto found = shares.find(process.pid); found != shares.end()) {
      process.sm_percent = found->second;
    }
  }
  return processes;
}

}  // namespace edgewise
