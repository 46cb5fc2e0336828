// Power and energy of the board: hwmon and INA3221 rails, RAPL, batteries.
//
// Energy counters are followed through their wrap-around; rails that only tell
// their power are integrated from reading to reading (trapezoids), so their
// energy is as good as the reading interval. The sysfs root is an argument so
// that tests can point the probe at a fake tree. Not thread-safe.
#ifndef EDGEWISE_PROBES_POWER_H_
#define EDGEWISE_PROBES_POWER_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/unavailable.h"

namespace edgewise {

// What a rail feeds, as far as its name tells. Rails overlap: the whole board
// contains the packages, which contain the cores.
enum class RailScope { kBoard, kPackage, kPart };

struct RailReading {
  std::string name;  // "VDD_IN", "package-0", "BAT0"
  RailScope scope = RailScope::kPart;
  std::optional<double> watts;   // now, or the mean since the last reading
  std::optional<double> joules;  // since the first reading
};

struct PowerReading {
  std::vector<RailReading> rails;
  // Of the board if a rail measures that, else of all CPU packages; nullopt if
  // neither is known. `total_of` names what it is.
  std::optional<double> total_watts;
  std::optional<double> total_joules;
  std::string total_of;
};

class PowerProbe {
 public:
  explicit PowerProbe(const std::filesystem::path& sysfs_root = "/sys");

  bool any() const { return !rails_.empty(); }
  // Rails that are there but may not be read (RAPL is root's).
  const std::vector<Unavailable>& unavailable() const { return unavailable_; }
  PowerReading Read(int64_t now_ns);

  // How a rail's figure comes about.
  enum class Source {
    kMicrojoules,           // a counter that wraps at `range`
    kMicrowatts,            // power as it is now
    kMilliwatts,            // the same, older Jetson boards
    kMillivoltMilliampere,  // product of two files
    kMicrovoltMicroampere,  // product of two files
  };
  struct Rail {
    std::string name;
    RailScope scope = RailScope::kPart;
    Source source = Source::kMicrowatts;
    std::filesystem::path file;
    std::filesystem::path second_file;  // the current, for products
    std::filesystem::path status_file;  // batteries: "Discharging"
    std::optional<double> range;        // of a wrapping counter
    // State between readings.
    std::optional<double> last_value;
    std::optional<int64_t> last_ns;
    double joules = 0;
  };

 private:
  std::vector<Rail> rails_;
  std::vector<Unavailable> unavailable_;
};

// The rails of a board; the parts of the search, in power_rails.cc.
std::vector<PowerProbe::Rail> FindPowerRails(
    const std::filesystem::path& sysfs_root);

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_POWER_H_
