// Where boards keep their power figures.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "probes/power.h"
#include "probes/small_files.h"

namespace edgewise {
namespace {

using Rail = PowerProbe::Rail;
using Source = PowerProbe::Source;

// Jetson's rail before everything else, by its names over the years.
RailScope ScopeOf(const std::string& rail_name) {
  static constexpr std::array<std::string_view, 4> kBoardRails{
      "VDD_IN", "POM_5V_IN", "VIN_SYS_5V0", "VIN"};
  return std::find(kBoardRails.begin(), kBoardRails.end(), rail_name) !=
                 kBoardRails.end()
             ? RailScope::kBoard
             : RailScope::kPart;
}

Rail MakeRail(std::string name, RailScope scope, Source source,
              std::filesystem::path file) {
  Rail rail;
  rail.name = std::move(name);
  rail.scope = scope;
  rail.source = source;
  rail.file = std::move(file);
  return rail;
}

// powercap: intel-rapl:0 (a package, or psys), intel-rapl:0:0 (a part of it).
void FindRapl(const std::filesystem::path& sysfs_root,
              std::vector<Rail>* rails) {
  for (const auto& zone : SortedEntries(sysfs_root / "class/powercap")) {
    const std::string folder = zone.filename();
    if (!folder.starts_with("intel-rapl:") || !Exists(zone / "energy_uj")) {
      continue;  // intel-rapl-mmio repeats the same packages
    }
    const std::string name = ReadName(zone / "name");
    const bool top = std::count(folder.begin(), folder.end(), ':') == 1;
    const RailScope scope = name == "psys" ? RailScope::kBoard
                            : top          ? RailScope::kPackage
                                           : RailScope::kPart;
    Rail rail = MakeRail(name.empty() ? folder : name, scope,
                         Source::kMicrojoules, zone / "energy_uj");
    if (const auto value = ReadNumber(zone / "max_energy_range_uj")) {
      rail.range = static_cast<double>(*value);
    }
    rails->push_back(std::move(rail));
  }
}

// hwmon: power*_input (or _average), energy*_input, and for voltage monitors
// such as the INA3221 in*_input with curr*_input of the same number.
void FindHwmon(const std::filesystem::path& sysfs_root,
               std::vector<Rail>* rails) {
  for (const auto& chip : SortedEntries(sysfs_root / "class/hwmon")) {
    const std::string chip_name = ReadName(chip / "name");
    const auto named = [&](const std::string& label_file,
                           const std::string& fallback) {
      const std::string label = ReadName(chip / label_file);
      return label.empty() ? chip_name + " " + fallback : label;
    };
    constexpr int kMostChannels = 32;
    for (int i = 1; i <= kMostChannels; ++i) {
      const std::string n = std::to_string(i);
      for (const char* suffix : {"_input", "_average"}) {
        if (Exists(chip / ("power" + n + suffix))) {
          const std::string name = named("power" + n + "_label", "power" + n);
          rails->push_back(MakeRail(name, ScopeOf(name), Source::kMicrowatts,
                                    chip / ("power" + n + suffix)));
          break;
        }
      }
      if (Exists(chip / ("energy" + n + "_input"))) {
        const std::string name = named("energy" + n + "_label", "energy" + n);
        rails->push_back(MakeRail(name, RailScope::kPart, Source::kMicrojoules,
                                  chip / ("energy" + n + "_input")));
      }
      // Channels without a label are shunts or sums, not rails.
      const std::string label = ReadName(chip / ("in" + n + "_label"));
      if (!label.empty() && label != "NC" &&
          Exists(chip / ("in" + n + "_input")) &&
          Exists(chip / ("curr" + n + "_input")) &&
          !Exists(chip / ("power" + n + "_input"))) {
        Rail rail =
            MakeRail(label, ScopeOf(label), Source::kMillivoltMilliampere,
                     chip / ("in" + n + "_input"));
        rail.second_file = chip / ("curr" + n + "_input");
        rails->push_back(std::move(rail));
      }
    }
  }
}

// Jetson boards up to JetPack 4: one iio device per monitor.
void FindInaIio(const std::filesystem::path& sysfs_root,
                std::vector<Rail>* rails) {
  for (const auto& chip :
       SortedEntries(sysfs_root / "bus/i2c/drivers/ina3221x")) {
    for (const auto& device : SortedEntries(chip)) {
      if (!device.filename().string().starts_with("iio:device")) {
        continue;
      }
      for (int i = 0; i < 3; ++i) {
        const std::string n = std::to_string(i);
        const std::string name = ReadName(device / ("rail_name_" + n));
        const auto file = device / ("in_power" + n + "_input");
        if (!name.empty() && name != "NC" && Exists(file)) {
          rails->push_back(
              MakeRail(name, ScopeOf(name), Source::kMilliwatts, file));
        }
      }
    }
  }
}

void FindBatteries(const std::filesystem::path& sysfs_root,
                   std::vector<Rail>* rails) {
  for (const auto& supply : SortedEntries(sysfs_root / "class/power_supply")) {
    if (ReadName(supply / "type") != "Battery" ||
        ReadName(supply / "scope") == "Device") {
      continue;  // the mains, or the battery of a mouse
    }
    Rail rail = MakeRail(supply.filename(), RailScope::kBoard,
                         Source::kMicrowatts, supply / "power_now");
    if (!Exists(rail.file)) {
      rail.source = Source::kMicrovoltMicroampere;
      rail.file = supply / "voltage_now";
      rail.second_file = supply / "current_now";
      if (!Exists(rail.file) || !Exists(rail.second_file)) {
        continue;
      }
    }
    rail.status_file = supply / "status";
    rails->push_back(std::move(rail));
  }
}

}  // namespace

std::vector<Rail> FindPowerRails(const std::filesystem::path& sysfs_root) {
  std::vector<Rail> rails;
  FindHwmon(sysfs_root, &rails);
  FindInaIio(sysfs_root, &rails);
  FindRapl(sysfs_root, &rails);
  FindBatteries(sysfs_root, &rails);
  return rails;
}

}  // namespace edgewise
