// The few functions of NVIDIA's management library (NVML) that edgewise calls,
// declared here so that nothing of NVIDIA's is needed to build.
//
// Layouts and numbers are those of NVML's stable C interface; functions that a
// driver lacks stay null. Private to this folder and its tests.
#ifndef EDGEWISE_PROBES_GPU_NVML_API_H_
#define EDGEWISE_PROBES_GPU_NVML_API_H_

#include <cstdint>

namespace edgewise::nvml {

using Status = int;
inline constexpr Status kSuccess = 0;
inline constexpr Status kNotSupported = 3;
inline constexpr Status kNoPermission = 4;
inline constexpr Status kInsufficientSize = 7;
inline constexpr Status kDriverNotLoaded = 9;
inline constexpr Status kGpuIsLost = 15;
inline constexpr Status kVersionMismatch = 18;

using Device = void*;

struct Utilization {
  unsigned int gpu;     // percent of the last sample period, any kernel ran
  unsigned int memory;  // the same, memory was read or written
};

struct Memory {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;  // what the driver reserves included
};

struct MemoryV2 {
  unsigned int version;
  unsigned long long total;
  unsigned long long reserved;
  unsigned long long free;
  unsigned long long used;
};
inline constexpr unsigned int kMemoryV2 = sizeof(MemoryV2) | (2U << 24);

struct ProcessV1 {
  unsigned int pid;
  unsigned long long used_bytes;
};
struct ProcessV2 {
  unsigned int pid;
  unsigned long long used_bytes;
  unsigned int gpu_instance;
  unsigned int compute_instance;
};
// `used_bytes` where the driver does not know.
inline constexpr unsigned long long kNoValue = ~0ULL;

struct ProcessUse {
  unsigned int pid;
  unsigned long long timestamp_us;
  unsigned int sm_percent;
  unsigned int memory_percent;
  unsigned int encoder_percent;
  unsigned int decoder_percent;
};

// Kinds of clock and of PCIe counters.
inline constexpr int kClockSm = 1;
inline constexpr int kClockMemory = 2;
inline constexpr int kPcieTransmit = 0;
inline constexpr int kPcieReceive = 1;
inline constexpr int kTemperatureGpu = 0;

// Hardware counters without a profiler ("GPM"), Hopper and later.
inline constexpr unsigned int kGpmDramBandwidthPercent = 10;
inline constexpr unsigned int kGpmPcieTransmitMib = 20;  // a second
inline constexpr unsigned int kGpmPcieReceiveMib = 21;
using GpmSample = void*;
struct GpmMetric {
  unsigned int id;
  Status status;
  double value;
  const char* texts[3];
};
struct GpmMetrics {
  unsigned int version = 1;
  unsigned int count = 0;
  GpmSample before = nullptr;
  GpmSample after = nullptr;
  // The library's own array grows with its version; only `count` are touched.
  GpmMetric metrics[512] = {};
};
struct GpmSupport {
  unsigned int version = 1;
  unsigned int supported = 0;
};

struct Api {
  Status (*init)() = nullptr;
  Status (*shutdown)() = nullptr;
  Status (*driver_version)(char*, unsigned int) = nullptr;
  Status (*device_count)(unsigned int*) = nullptr;
  Status (*device)(unsigned int, Device*) = nullptr;
  Status (*name)(Device, char*, unsigned int) = nullptr;
  Status (*uuid)(Device, char*, unsigned int) = nullptr;
  Status (*utilization)(Device, Utilization*) = nullptr;
  Status (*memory)(Device, Memory*) = nullptr;
  Status (*memory_v2)(Device, MemoryV2*) = nullptr;
  Status (*power_mw)(Device, unsigned int*) = nullptr;
  Status (*energy_mj)(Device, unsigned long long*) = nullptr;
  Status (*clock_mhz)(Device, int, unsigned int*) = nullptr;
  Status (*max_clock_mhz)(Device, int, unsigned int*) = nullptr;
  Status (*bus_width_bits)(Device, unsigned int*) = nullptr;
  Status (*temperature)(Device, int, unsigned int*) = nullptr;
  Status (*throttle_reasons)(Device, unsigned long long*) = nullptr;
  Status (*pcie_kib)(Device, int, unsigned int*) = nullptr;
  Status (*processes_v1)(Device, unsigned int*, ProcessV1*) = nullptr;
  Status (*processes_v2)(Device, unsigned int*, ProcessV2*) = nullptr;
  Status (*process_use)(Device, ProcessUse*, unsigned int*,
                        unsigned long long) = nullptr;
  Status (*gpm_support)(Device, GpmSupport*) = nullptr;
  Status (*gpm_alloc)(GpmSample*) = nullptr;
  Status (*gpm_free)(GpmSample) = nullptr;
  Status (*gpm_get)(Device, GpmSample) = nullptr;
  Status (*gpm_metrics)(GpmMetrics*) = nullptr;
};

}  // namespace edgewise::nvml

#endif  // EDGEWISE_PROBES_GPU_NVML_API_H_
