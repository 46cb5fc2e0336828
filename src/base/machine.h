// Machine: fingerprint of a node; every Run carries the one it ran on.
//
// Only the value; the probes fill it and the store keeps it.
#ifndef EDGEWISE_BASE_MACHINE_H_
#define EDGEWISE_BASE_MACHINE_H_

#include <cstdint>
#include <string>

namespace edgewise {

struct Machine {
  std::string hostname;
  std::string architecture;  // "x86_64", "aarch64"
  std::string cpu_model;     // "Cortex-A76", "AMD EPYC"
  std::string board;         // device-tree or DMI name; may be empty
  std::string kernel;        // uname release
  std::string os;            // PRETTY_NAME of os-release
  int cores = 0;             // online
  int64_t memory_bytes = 0;
  std::string governor;        // empty where the kernel has no cpufreq
  std::string virtualization;  // "kvm", "container:podman", empty if none seen
  // Stable hash of what decides speed: architecture, model, cores, memory.
  std::string fingerprint;
};

}  // namespace edgewise

#endif  // EDGEWISE_BASE_MACHINE_H_
