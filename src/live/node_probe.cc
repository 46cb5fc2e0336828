#include "live/node_probe.h"

#include <sys/statvfs.h>

#include <algorithm>

#include "base/text.h"

namespace edgewise::live {
namespace {

// Of the time between two readings; nullopt if none went by.
std::optional<double> BusyPercent(const CpuTimes& before,
                                  const CpuTimes& after) {
  const int64_t busy_ns = after.busy_ns() - before.busy_ns();
  const int64_t rest_ns = after.idle_ns + after.iowait_ns + after.steal_ns -
                          before.idle_ns - before.iowait_ns - before.steal_ns;
  const int64_t all_ns = busy_ns + rest_ns;
  if (busy_ns < 0 || rest_ns < 0 || all_ns <= 0) {
    return std::nullopt;
  }
  return 100 * static_cast<double>(busy_ns) / static_cast<double>(all_ns);
}

}  // namespace

std::optional<NodeMemory> ParseMeminfo(std::string_view text) {
  const auto bytes = [&](std::string_view key) {
    const auto kib = FindKeyedInt(text, key);
    return kib && *kib >= 0 && *kib < (int64_t{1} << 52)
               ? std::optional(*kib * 1024)
               : std::nullopt;
  };
  const auto total = bytes("MemTotal");
  const auto available = bytes("MemAvailable");
  if (!total || !available) {
    return std::nullopt;
  }
  NodeMemory memory;
  memory.total_bytes = *total;
  memory.available_bytes = *available;
  memory.swap_total_bytes = bytes("SwapTotal").value_or(0);
  memory.swap_free_bytes = bytes("SwapFree").value_or(0);
  memory.swap_cached_bytes = bytes("SwapCached").value_or(0);
  return memory;
}

NodeProbe::NodeProbe(const std::filesystem::path& proc_root,
                     const std::filesystem::path& sysfs_root, std::string disk)
    : cpu_stat_(proc_root),
      frequency_(sysfs_root),
      pressure_(proc_root),
      meminfo_(proc_root / "meminfo"),
      zones_(FindThermalZones(sysfs_root)),
      power_(sysfs_root),
      disk_(std::move(disk)) {
  for (const ThermalZone& zone : zones_) {
    std::string name = zone.Type();
    // Boards have several zones of one type.
    if (name.empty() || std::find(zone_names_.begin(), zone_names_.end(),
                                  name) != zone_names_.end()) {
      name += (name.empty() ? "zone" : "-") + std::to_string(zone.index());
    }
    zone_names_.push_back(std::move(name));
  }
}

NodeReading NodeProbe::Read(int64_t now_ns) {
  NodeReading reading;
  reading.at_ns = now_ns;
  reading.cpu = cpu_stat_.Read();
  if (reading.cpu && last_cpu_) {
    reading.cpu_percent = BusyPercent(last_cpu_->total, reading.cpu->total);
    const size_t cores =
        std::min(last_cpu_->cores.size(), reading.cpu->cores.size());
    for (size_t i = 0; i < cores; ++i) {
      reading.core_percent.push_back(
          BusyPercent(last_cpu_->cores[i], reading.cpu->cores[i]).value_or(0));
    }
  }
  last_cpu_ = reading.cpu;
  reading.frequencies = frequency_.ReadKhz();
  if (const auto text = meminfo_.Read(&buffer_)) {
    reading.memory = ParseMeminfo(*text);
  }
  struct statvfs disk {};
  if (statvfs(disk_.c_str(), &disk) == 0) {
    const auto block = static_cast<int64_t>(disk.f_frsize);
    reading.disks.push_back({disk_, static_cast<int64_t>(disk.f_blocks) * block,
                             static_cast<int64_t>(disk.f_bavail) * block});
  }
  reading.pressure = pressure_.Read();
  for (size_t i = 0; i < zones_.size(); ++i) {
    if (const auto temperature = zones_[i].ReadMillicelsius()) {
      reading.temperatures.push_back(
          {zone_names_[i], static_cast<double>(*temperature) / 1e3});
    }
  }
  if (power_.any()) {
    reading.power = power_.Read(now_ns);
  }
  return reading;
}

}  // namespace edgewise::live
