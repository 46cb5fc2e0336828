#include "probes/cpufreq.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "probes/small_files.h"

namespace edgewise {
namespace {

constexpr char kCpuFolder[] = "devices/system/cpu";

std::filesystem::path CpufreqFolder(const std::filesystem::path& sysfs_root,
                                    int cpu) {
  return sysfs_root / kCpuFolder / ("cpu" + std::to_string(cpu)) / "cpufreq";
}

}  // namespace

std::vector<int> ListCpus(const std::filesystem::path& sysfs_root) {
  std::vector<int> cpus;
  for (const auto& folder : SortedEntries(sysfs_root / kCpuFolder)) {
    const std::string name = folder.filename();
    if (!name.starts_with("cpu")) {
      continue;
    }
    const auto number = ParseInt(std::string_view(name).substr(3));
    if (number && *number >= 0 && *number < 65536) {
      cpus.push_back(static_cast<int>(*number));
    }
  }
  std::sort(cpus.begin(), cpus.end());
  return cpus;
}

CpuFrequency::CpuFrequency(const std::filesystem::path& sysfs_root) {
  for (const int cpu : ListCpus(sysfs_root)) {
    KeptFile file(CpufreqFolder(sysfs_root, cpu) / "scaling_cur_freq");
    if (file.open()) {
      files_.push_back({cpu, std::move(file)});
    }
  }
}

std::vector<CpuFrequency::Core> CpuFrequency::ReadKhz() {
  std::vector<Core> cores;
  for (CoreFile& core : files_) {
    const auto text = core.file.Read(&buffer_, true);
    const auto khz = text ? ParseInt(Trim(*text)) : std::nullopt;
    if (khz && *khz > 0) {
      cores.push_back({core.cpu, *khz});
    }
  }
  return cores;
}

std::optional<int64_t> CpuFrequency::ReadMeanKhz() {
  const std::vector<Core> cores = ReadKhz();
  if (cores.empty()) {
    return std::nullopt;
  }
  double sum_khz = 0;
  for (const Core& core : cores) {
    sum_khz += static_cast<double>(core.khz);
  }
  return static_cast<int64_t>(sum_khz / static_cast<double>(cores.size()));
}

std::optional<std::string> ReadGovernor(
    const std::filesystem::path& sysfs_root) {
  std::set<std::string> names;
  for (const int cpu : ListCpus(sysfs_root)) {
    std::string name =
        ReadName(CpufreqFolder(sysfs_root, cpu) / "scaling_governor");
    if (!name.empty()) {
      names.insert(std::move(name));
    }
  }
  if (names.empty()) {
    return std::nullopt;
  }
  return Join({names.begin(), names.end()}, "/");
}

std::optional<bool> ReadTurbo(const std::filesystem::path& sysfs_root) {
  const std::filesystem::path folder = sysfs_root / kCpuFolder;
  if (const auto off = ReadNumber(folder / "intel_pstate/no_turbo")) {
    return *off == 0;
  }
  if (const auto on = ReadNumber(folder / "cpufreq/boost")) {
    return *on == 1;
  }
  return std::nullopt;
}

}  // namespace edgewise
