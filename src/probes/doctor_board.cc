// What the board tells about itself.
#include <optional>

#include "base/text.h"
#include "base/units.h"
#include "probes/cpu_stat.h"
#include "probes/cpufreq.h"
#include "probes/doctor.h"
#include "probes/gpu/gpu_probe.h"
#include "probes/power.h"
#include "probes/small_files.h"
#include "probes/thermal.h"

namespace edgewise {
namespace {

Ability Measure(std::string what, AbilityState state, std::string detail,
                std::string remedy = {}) {
  return {"measure", std::move(what), state, std::move(detail),
          std::move(remedy)};
}

Ability Steal(const DoctorInput& input) {
  CpuStatProbe probe(input.root / "proc");
  return probe.Read() ? Measure("steal", AbilityState::kAvailable,
                                "time that a hypervisor took away")
                      : Measure("steal", AbilityState::kMissing,
                                "/proc/stat cannot be read");
}

Ability Frequency(const DoctorInput& input) {
  const auto sys = input.root / "sys";
  const auto governor = ReadGovernor(sys);
  if (const auto khz = CpuFrequency(sys).ReadMeanKhz()) {
    return Measure("clock frequency", AbilityState::kAvailable,
                   std::to_string(*khz / 1000) + " MHz on average" +
                       (governor ? ", governor " + *governor : std::string()));
  }
  return Measure("clock frequency", AbilityState::kMissing,
                 "the kernel has no cpufreq here (usual in virtual machines)");
}

Ability Temperature(const DoctorInput& input) {
  const auto zones = FindThermalZones(input.root / "sys");
  if (zones.empty()) {
    return Measure("temperature", AbilityState::kMissing,
                   "the board has no thermal zones");
  }
  std::vector<std::string> names;
  for (const ThermalZone& zone : zones) {
    names.push_back(zone.Type());
  }
  return Measure("temperature", AbilityState::kAvailable, Join(names, ", "));
}

Ability Power(const DoctorInput& input) {
  PowerProbe probe(input.root / "sys");
  if (probe.any()) {
    std::vector<std::string> names;
    const PowerReading reading = probe.Read(0);
    for (const RailReading& rail : reading.rails) {
      names.push_back(rail.name);
    }
    const bool total = reading.total_watts || reading.total_joules;
    return Measure("power and energy",
                   total ? AbilityState::kAvailable : AbilityState::kLimited,
                   Join(names, ", ") + (total ? ""
                                              : " (parts only: no figure for "
                                                "the board or its CPUs)"));
  }
  if (!probe.unavailable().empty()) {
    return Measure("power and energy", AbilityState::kMissing,
                   probe.unavailable().front().why,
                   "sudo chmod -R a+r /sys/class/powercap/intel-rapl:*");
  }
  return Measure("power and energy", AbilityState::kMissing,
                 "the board has no power sensors that the kernel knows");
}

// The loader's cache is a binary file, but names its libraries in plain text.
bool LoaderKnows(const std::filesystem::path& root,
                 const std::string& library) {
  const auto cache = TryReadFile(root / "etc/ld.so.cache");
  return cache && cache->find(library) != std::string::npos;
}

// What NVIDIA's driver itself says; nullopt where there is none to ask.
std::optional<Ability> AskNvidia(const DoctorInput& input) {
  if (!input.ask_nvidia) {
    return std::nullopt;
  }
  const auto probe = GpuProbe::Open(input.nvml_library);
  if (!probe) {
    // Without a library there may still be a Jetson's GPU.
    return probe.error().code == ErrorCode::kNotFound
               ? std::nullopt
               : std::optional(Measure("GPU", AbilityState::kMissing,
                                       probe.error().message));
  }
  std::vector<std::string> names;
  bool integrated = false;
  for (const GpuDevice& device : probe->devices()) {
    names.push_back(device.name + (device.memory_bytes
                                       ? ", " + FormatBytes(static_cast<double>(
                                                    *device.memory_bytes))
                                       : ""));
    integrated = integrated || device.integrated;
  }
  if (integrated) {
    return std::nullopt;
  }
  return Measure(
      "GPU", AbilityState::kAvailable,
      Join(names, "; ") + " (driver " + probe->DriverVersion() + ")");
}

Ability Gpu(const DoctorInput& input) {
  if (const auto told = AskNvidia(input)) {
    return *told;
  }
  std::vector<std::string> found;
  if (LoaderKnows(input.root, "libnvidia-ml.so.1")) {
    found.emplace_back("libnvidia-ml.so.1");
  }
  for (const char* device : {"dev/nvidia0", "dev/nvhost-gpu", "dev/nvgpu"}) {
    if (Exists(input.root / device)) {
      found.push_back("/" + std::string(device));
    }
  }
  if (FindProgram("tegrastats", input.search_path)) {
    found.emplace_back("tegrastats");
  }
  if (found.empty()) {
    return Measure("GPU", AbilityState::kMissing,
                   "no NVIDIA driver, device or tegrastats found");
  }
  const bool tegrastats = found.back() == "tegrastats";
  return Measure(
      "GPU", tegrastats ? AbilityState::kAvailable : AbilityState::kLimited,
      "found " + Join(found, ", "),
      tegrastats ? ""
                 : "install the driver's management library (on a Jetson: "
                   "tegrastats of nvidia-l4t-tools)");
}

Ability Clock(const DoctorInput& input) {
  const std::string source =
      ReadName(input.root /
               "sys/devices/system/clocksource/clocksource0/"
               "current_clocksource");
  if (source.empty()) {
    return Measure("clock", AbilityState::kLimited,
                   "the kernel does not tell its clock source");
  }
  const bool slow = source == "hpet" || source == "acpi_pm" ||
                    source == "jiffies" || source == "xen" ||
                    source == "refined-jiffies";
  return Measure(
      "clock", slow ? AbilityState::kLimited : AbilityState::kAvailable,
      source + (slow ? ": every look at the clock is a slow system call, so "
                       "spans cost about a microsecond more"
                     : ": read without a system call"),
      slow ? "echo tsc | sudo tee /sys/devices/system/clocksource/"
             "clocksource0/current_clocksource (if it is offered there)"
           : "");
}

}  // namespace

void DiagnoseBoard(const DoctorInput& input, std::vector<Ability>* out) {
  out->push_back(Steal(input));
  out->push_back(Frequency(input));
  out->push_back(Temperature(input));
  out->push_back(Power(input));
  out->push_back(Gpu(input));
  out->push_back(Clock(input));
}

}  // namespace edgewise
