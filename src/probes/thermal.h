// Reads the kernel's thermal zones (/sys/class/thermal/thermal_zone*/temp).
//
// The sysfs root is an argument so that tests can point the probe at a fake
// tree. Not thread-safe; each session owns its probes.
#ifndef EDGEWISE_PROBES_THERMAL_H_
#define EDGEWISE_PROBES_THERMAL_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace edgewise {

class ThermalZone {
 public:
  explicit ThermalZone(int index,
                       const std::filesystem::path& sysfs_root = "/sys");

  int index() const { return index_; }
  // "cpu-thermal", "x86_pkg_temp"; empty where the board has no such zone.
  std::string Type() const;
  // The current temperature; nullopt where the board has no such zone, or its
  // sensor is switched off.
  std::optional<int64_t> ReadMillicelsius() const;

 private:
  int index_;
  std::filesystem::path folder_;
};

// The zones of this board that can be read, in order of their numbers.
std::vector<ThermalZone> FindThermalZones(
    const std::filesystem::path& sysfs_root = "/sys");

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_THERMAL_H_
