// One line of tegrastats, the monitor of NVIDIA's Jetson boards.
//
// The format changes by board and release; fields are found by their names and
// forms, never by their place, and what is not known is passed over.
#ifndef EDGEWISE_PROBES_GPU_TEGRASTATS_LINE_H_
#define EDGEWISE_PROBES_GPU_TEGRASTATS_LINE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace edgewise {

struct TegraMemory {
  int64_t used_bytes = 0;
  int64_t total_bytes = 0;
  std::optional<int64_t> cached_bytes;        // of swap
  std::optional<int64_t> largest_free_bytes;  // blocks of this size …
  std::optional<int64_t> free_blocks;         // … so many
};

struct TegraCore {
  // Both nullopt: the core is off.
  std::optional<double> percent;
  std::optional<double> mhz;
};

// A unit with a load, a clock, or both: "EMC", "GR3D", "GR3D2", "VIC".
struct TegraUnit {
  std::string name;
  std::optional<double> percent;
  std::optional<double> mhz;  // of its fastest part
};

struct TegraTemperature {
  std::string name;
  std::optional<double> celsius;  // nullopt: the sensor is off
};

struct TegraRail {
  std::string name;    // "VDD_IN"; rails may share a name ("NC")
  int occurrence = 1;  // the how-manieth of that name on the line
  double milliwatts = 0;
  std::optional<double> mean_milliwatts;  // since tegrastats started
};

struct TegraStats {
  std::optional<TegraMemory> ram;
  std::optional<TegraMemory> swap;
  std::vector<TegraCore> cores;
  std::vector<TegraUnit> units;
  std::vector<TegraTemperature> temperatures;
  std::vector<TegraRail> rails;

  // nullptr if the line has none of that name.
  const TegraUnit* Unit(std::string_view name) const;
  const TegraTemperature* Temperature(std::string_view name) const;
};

// nullopt if nothing in the line is known.
std::optional<TegraStats> ParseTegrastats(std::string_view line);

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_GPU_TEGRASTATS_LINE_H_
