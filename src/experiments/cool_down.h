// A pause between two measurements, so that one does not heat or disturb the
// next.
#ifndef EDGEWISE_EXPERIMENTS_COOL_DOWN_H_
#define EDGEWISE_EXPERIMENTS_COOL_DOWN_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "probes/thermal.h"

namespace edgewise {

class CoolDown {
 public:
  // Remembers how warm the machine is now.
  explicit CoolDown(int64_t pause_ns,
                    const std::filesystem::path& sysfs_root = "/sys");

  // Waits. False if the user asked to stop meanwhile (SIGINT, SIGTERM,
  // SIGHUP).
  bool Wait() const;

 private:
  std::optional<int64_t> HottestMillicelsius() const;

  int64_t pause_ns_;
  std::vector<ThermalZone> zones_;
  std::optional<int64_t> at_start_;
};

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_COOL_DOWN_H_
