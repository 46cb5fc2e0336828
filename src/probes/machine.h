// What kind of machine this is: fills Machine from /proc, /sys and /etc.
#ifndef EDGEWISE_PROBES_MACHINE_H_
#define EDGEWISE_PROBES_MACHINE_H_

#include <filesystem>
#include <string>
#include <string_view>

#include "base/machine.h"

namespace edgewise {

// `root` is an argument so that tests can point it at a fake tree; only the
// architecture comes from the kernel that runs. Text fields that cannot be
// read are empty.
Machine ReadMachine(const std::filesystem::path& root = "/");

// "AMD EPYC", "Cortex-A76", "Cortex-A72 + Cortex-A53"; empty if the text does
// not tell.
std::string ParseCpuModel(std::string_view cpuinfo);
// The value of PRETTY_NAME.
std::string ParseOsName(std::string_view os_release);
// 16 hex digits. Memory counts in steps of 512 MiB, because kernels keep
// differing amounts to themselves.
std::string MachineFingerprint(const Machine& machine);

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_MACHINE_H_
