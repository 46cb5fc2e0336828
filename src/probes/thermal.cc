#include "probes/thermal.h"

#include <algorithm>

#include "base/text.h"
#include "probes/small_files.h"

namespace edgewise {
namespace {

constexpr char kZones[] = "class/thermal";
constexpr char kPrefix[] = "thermal_zone";
// Sensors that are off report nonsense such as -256 degrees.
constexpr int64_t kLeastMillicelsius = -100'000;
constexpr int64_t kMostMillicelsius = 300'000;

}  // namespace

ThermalZone::ThermalZone(int index, const std::filesystem::path& sysfs_root)
    : index_(index),
      folder_(sysfs_root / kZones / (kPrefix + std::to_string(index))) {}

std::string ThermalZone::Type() const { return ReadName(folder_ / "type"); }

std::optional<int64_t> ThermalZone::ReadMillicelsius() const {
  const auto value = ReadNumber(folder_ / "temp");
  if (!value || *value < kLeastMillicelsius || *value > kMostMillicelsius) {
    return std::nullopt;
  }
  return value;
}

std::vector<ThermalZone> FindThermalZones(
    const std::filesystem::path& sysfs_root) {
  std::vector<ThermalZone> zones;
  for (const auto& folder : SortedEntries(sysfs_root / kZones)) {
    const std::string name = folder.filename();
    if (!name.starts_with(kPrefix)) {
      continue;
    }
    const auto index =
        ParseInt(std::string_view(name).substr(sizeof kPrefix - 1));
    if (!index || *index < 0 || *index > 4096) {
      continue;
    }
    ThermalZone zone(static_cast<int>(*index), sysfs_root);
    if (zone.ReadMillicelsius()) {
      zones.push_back(std::move(zone));
    }
  }
  std::sort(zones.begin(), zones.end(),
            [](const ThermalZone& a, const ThermalZone& b) {
              return a.index() < b.index();
            });
  return zones;
}

}  // namespace edgewise
