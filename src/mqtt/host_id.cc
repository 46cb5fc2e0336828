#include "mqtt/host_id.h"

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/text.h"

namespace edgewise::mqtt {
namespace {

// FNV-1a; ids need no secrecy, only to differ.
uint64_t HashOf(const std::string& text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3;
  }
  return hash != 0 ? hash : 1;
}

}  // namespace

uint64_t HostId(const clocks::WallClock& clock) {
  std::error_code ignored;
  std::string text =
      TryReadFile("/proc/sys/kernel/random/boot_id").value_or("") +
      std::filesystem::read_symlink("/proc/self/ns/time", ignored).string();
  if (clock.wrong_on_purpose()) {
    for (const char* name :
         {"EDGEWISE_CLOCK_SKEW_NS", "EDGEWISE_CLOCK_DRIFT_PPM"}) {
      const char* const value = std::getenv(name);
      text += "/" + std::string(value != nullptr ? value : "");
    }
  }
  return HashOf(text);
}

}  // namespace edgewise::mqtt
