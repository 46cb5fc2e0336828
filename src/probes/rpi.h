// Whether a Raspberry Pi's firmware holds the clock down: under-voltage and
// heat (/sys/devices/platform/soc/soc:firmware/get_throttled).
#ifndef EDGEWISE_PROBES_RPI_H_
#define EDGEWISE_PROBES_RPI_H_

#include <filesystem>
#include <optional>
#include <string_view>

namespace edgewise {

struct PiThrottling {
  bool under_voltage = false;
  bool frequency_capped = false;
  bool throttled = false;
  bool soft_temperature_limit = false;
  // The same since boot.
  bool had_under_voltage = false;
  bool had_frequency_cap = false;
  bool had_throttling = false;
  bool had_soft_temperature_limit = false;

  bool now() const {
    return under_voltage || frequency_capped || throttled ||
           soft_temperature_limit;
  }
};
// A hexadecimal number, with or without "0x".
std::optional<PiThrottling> ParsePiThrottling(std::string_view text);
// nullopt on other boards.
std::optional<PiThrottling> ReadPiThrottling(
    const std::filesystem::path& sysfs_root = "/sys");

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_RPI_H_
