// What makes measurements on this machine vary or mislead.
#include <cstdio>

#include "base/text.h"
#include "base/units.h"
#include "probes/cpu_stat.h"
#include "probes/cpufreq.h"
#include "probes/doctor.h"
#include "probes/machine.h"
#include "probes/rpi.h"
#include "probes/small_files.h"

namespace edgewise {
namespace {

std::string Percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f%%", share * 100);
  return text;
}

void WarnOfClocks(const DoctorInput& input, std::vector<MachineWarning>* out) {
  const auto sys = input.root / "sys";
  const auto governor = ReadGovernor(sys);
  if (governor && *governor != "performance") {
    out->push_back({"the governor is " + *governor +
                        ": the clock follows the load, so short runs look "
                        "slower than long ones",
                    "echo performance | sudo tee /sys/devices/system/cpu/cpu*/"
                    "cpufreq/scaling_governor"});
  }
  if (ReadTurbo(sys).value_or(false)) {
    out->push_back(
        {"turbo is on: the clock depends on temperature and on the other cores",
         Exists(sys / "devices/system/cpu/intel_pstate")
             ? "echo 1 | sudo tee "
               "/sys/devices/system/cpu/intel_pstate/no_turbo"
             : "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"});
  }
  const auto pi = ReadPiThrottling(sys);
  if (pi && pi->now()) {
    out->push_back(
        {pi->under_voltage ? "the board's supply voltage is too low, so its "
                             "firmware slows the clock down"
                           : "the board is too hot, so its firmware slows the "
                             "clock down",
         pi->under_voltage ? "use a stronger power supply" : "cool the board"});
  } else if (pi && (pi->had_under_voltage || pi->had_throttling)) {
    out->push_back({"the firmware has slowed the clock down since boot",
                    "check power supply and cooling, then restart"});
  }
}

void WarnOfLoad(const DoctorInput& input, std::vector<MachineWarning>* out) {
  const auto text = TryReadFile(input.root / "proc/loadavg");
  const auto fields =
      text ? SplitFields(*text) : std::vector<std::string_view>();
  const auto load = fields.empty() ? std::nullopt : ParseDouble(fields.front());
  const int cores = ReadMachine(input.root).cores;
  if (load && cores > 0 && *load > 0.5 * cores) {
    out->push_back({"the load is " + std::string(fields.front()) + " on " +
                        std::to_string(cores) +
                        (cores == 1 ? " core" : " cores") +
                        ": other programs compete with the one under test",
                    "stop them, or measure on cores of its own with --cpus"});
  }
}

void WarnOfSwap(const DoctorInput& input, std::vector<MachineWarning>* out) {
  const auto text = TryReadFile(input.root / "proc/meminfo");
  if (!text) {
    return;
  }
  const auto total = FindKeyedInt(*text, "SwapTotal");
  const auto free = FindKeyedInt(*text, "SwapFree");
  if (total && free && *total > *free) {
    out->push_back(
        {FormatBytes(static_cast<double>(*total - *free) * 1024) +
             " are swapped out: memory that comes back from swap costs "
             "milliseconds",
         "sudo swapoff -a while measuring"});
  }
}

void WarnOfSteal(const DoctorInput& input, std::vector<MachineWarning>* out) {
  const Machine machine = ReadMachine(input.root);
  if (machine.virtualization.empty() ||
      machine.virtualization.starts_with("container:")) {
    return;
  }
  CpuStatProbe probe(input.root / "proc");
  const auto stat = probe.Read();
  if (!stat) {
    return;
  }
  const double wanted = static_cast<double>(stat->total.busy_ns()) +
                        static_cast<double>(stat->total.steal_ns);
  const double share =
      wanted > 0 ? static_cast<double>(stat->total.steal_ns) / wanted : 0;
  out->push_back(
      {"this is a virtual machine (" + machine.virtualization +
           "); since boot " + Percent(share) +
           " of the CPU time it wanted was stolen by its host",
       "compare with interleaved runs (edgewise ab), or measure on a board"});
}

}  // namespace

std::vector<MachineWarning> FindMachineWarnings(const DoctorInput& input) {
  std::vector<MachineWarning> warnings;
  WarnOfClocks(input, &warnings);
  WarnOfLoad(input, &warnings);
  WarnOfSwap(input, &warnings);
  WarnOfSteal(input, &warnings);
  return warnings;
}

}  // namespace edgewise
