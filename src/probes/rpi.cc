#include "probes/rpi.h"

#include <charconv>
#include <cstdint>

#include "base/text.h"

namespace edgewise {

std::optional<PiThrottling> ParsePiThrottling(std::string_view text) {
  text = Trim(text);
  if (text.starts_with("0x") || text.starts_with("0X")) {
    text.remove_prefix(2);
  }
  uint32_t bits = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, bits, 16);
  if (error != std::errc() || stop != end) {
    return std::nullopt;
  }
  const auto bit = [bits](int number) { return (bits >> number & 1u) != 0; };
  PiThrottling throttling;
  throttling.under_voltage = bit(0);
  throttling.frequency_capped = bit(1);
  throttling.throttled = bit(2);
  throttling.soft_temperature_limit = bit(3);
  throttling.had_under_voltage = bit(16);
  throttling.had_frequency_cap = bit(17);
  throttling.had_throttling = bit(18);
  throttling.had_soft_temperature_limit = bit(19);
  return throttling;
}

std::optional<PiThrottling> ReadPiThrottling(
    const std::filesystem::path& sysfs_root) {
  const auto text = TryReadFile(
      sysfs_root / "devices/platform/soc/soc:firmware/get_throttled");
  return text ? ParsePiThrottling(*text) : std::nullopt;
}

}  // namespace edgewise
