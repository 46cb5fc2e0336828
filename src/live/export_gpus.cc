// The families edgewise_node_gpu_*.
#include "live/export_metrics.h"
#include "probes/gpu/throttle_reasons.h"

namespace edgewise::live {
namespace {

using Figure = std::optional<double> (*)(const NodeGpu&);

struct Family {
  const char* name;
  http::FamilyType type;
  const char* help;
  const char* unit;
  Figure figure;
};

std::optional<double> Scaled(const std::optional<double>& value, double by) {
  return value ? std::optional(*value * by) : std::nullopt;
}

std::optional<double> Number(const std::optional<int64_t>& value) {
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

constexpr http::FamilyType kGauge = http::FamilyType::kGauge;

const Family kFamilies[] = {
    {"edgewise_node_gpu_busy_ratio", kGauge,
     "Share of the time in which a kernel ran.", "ratio",
     [](const NodeGpu& gpu) { return Scaled(gpu.reading.busy_percent, 0.01); }},
    {"edgewise_node_gpu_memory_busy_ratio", kGauge,
     "Share of the time in which its memory was read or written.", "ratio",
     [](const NodeGpu& gpu) {
       return Scaled(gpu.reading.memory_busy_percent, 0.01);
     }},
    {"edgewise_node_gpu_memory_total_bytes", kGauge, "Memory of the GPU.",
     "bytes",
     [](const NodeGpu& gpu) { return Number(gpu.device.memory_bytes); }},
    {"edgewise_node_gpu_memory_used_bytes", kGauge, "Memory in use.", "bytes",
     [](const NodeGpu& gpu) { return Number(gpu.reading.memory_used_bytes); }},
    {"edgewise_node_gpu_memory_bytes_per_second", kGauge,
     "What its memory moves.", "",
     [](const NodeGpu& gpu) { return gpu.reading.bandwidth_bytes_per_s; }},
    {"edgewise_node_gpu_power_watts", kGauge, "Power now.", "watts",
     [](const NodeGpu& gpu) { return gpu.reading.watts; }},
    {"edgewise_node_gpu_energy_joules", http::FamilyType::kCounter,
     "Energy since the agent started.", "joules",
     [](const NodeGpu& gpu) { return gpu.reading.joules; }},
    {"edgewise_node_gpu_temperature_celsius", kGauge, "Temperature.", "celsius",
     [](const NodeGpu& gpu) { return gpu.reading.celsius; }},
    {"edgewise_node_gpu_clock_hertz", kGauge, "Clock of its processors.",
     "hertz",
     [](const NodeGpu& gpu) { return Scaled(gpu.reading.sm_clock_mhz, 1e6); }},
    {"edgewise_node_gpu_memory_clock_hertz", kGauge, "Clock of its memory.",
     "hertz",
     [](const NodeGpu& gpu) {
       return Scaled(gpu.reading.memory_clock_mhz, 1e6);
     }},
    {"edgewise_node_gpu_pcie_received_bytes_per_second", kGauge,
     "What the GPU takes in over PCIe.", "",
     [](const NodeGpu& gpu) { return gpu.reading.pcie_receive_bytes_per_s; }},
    {"edgewise_node_gpu_pcie_sent_bytes_per_second", kGauge,
     "What the GPU gives out over PCIe.", "",
     [](const NodeGpu& gpu) { return gpu.reading.pcie_transmit_bytes_per_s; }},
    {"edgewise_node_gpu_throttled", kGauge,
     "1 while heat or a limit holds it back.", "",
     [](const NodeGpu& gpu) -> std::optional<double> {
       if (!gpu.reading.throttle_bits) {
         return std::nullopt;
       }
       return ThrottleReasons(*gpu.reading.throttle_bits).empty() ? 0 : 1;
     }},
};

}  // namespace

void ExportGpus(const NodeGpus& gpus, http::Exposition& to) {
  for (const Family& family : kFamilies) {
    bool begun = false;
    for (const NodeGpu& gpu : gpus.devices) {
      const std::optional<double> value = family.figure(gpu);
      if (!value) {
        continue;
      }
      if (!begun) {
        to.Family(family.name, family.type, family.help, family.unit);
        begun = true;
      }
      http::LabelText labels;
      labels.Add("gpu", std::to_string(gpu.device.index))
          .Add("model", gpu.device.name);
      to.Sample(labels, *value);
    }
  }
}

}  // namespace edgewise::live
