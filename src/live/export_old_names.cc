// Names that existing dashboards scrape (docs/agent.md): tegra_* of the Jetson
// exporter, char_node_* of the SOPRANO characterisation agent, and the gauges
// of the Waggle collector. Only what this node really knows is exported.
#include <map>
#include <set>

#include "live/export_metrics.h"

namespace edgewise::live {
namespace {

std::string Label(std::string_view key, std::string_view value) {
  return http::LabelText().Add(key, value).text();
}

void One(http::Exposition& to, const char* name, const char* help, double value,
         std::string_view labels = "") {
  to.Family(name, http::FamilyType::kGauge, help);
  to.Sample(labels, value);
}

// "NC", "NC 2": rails may share a name.
std::string SensorOf(const TegraRail& rail) {
  return Label("sensor", rail.occurrence > 1
                             ? rail.name + " " + std::to_string(rail.occurrence)
                             : rail.name);
}

// One figure of a load and a clock, as far as they are known.
void ExportUnit(http::Exposition& to, const std::string& name,
                std::optional<double> percent, std::optional<double> mhz) {
  if (percent) {
    One(to, ("tegra_" + name + "_util_percentage").c_str(), "Use in percent.",
        *percent);
  }
  if (mhz) {
    One(to, ("tegra_" + name + "_frequency_hz").c_str(), "Clock.", *mhz * 1e6);
  }
}

void ExportTegraGpu(const NodeGpus& gpus, http::Exposition& to) {
  if (!gpus.devices.empty()) {
    const GpuReading& gpu = gpus.devices.front().reading;
    ExportUnit(to, "gpu", gpu.busy_percent, gpu.sm_clock_mhz);
  }
  if (!gpus.tegra) {
    return;
  }
  if (const TegraUnit* const memory = gpus.tegra->Unit("EMC")) {
    ExportUnit(to, "emc", memory->percent, memory->mhz);
  }
  if (gpus.tegra->ram && gpus.tegra->ram->largest_free_bytes) {
    One(to, "tegra_lfb_size_bytes", "Size of the largest free blocks.",
        static_cast<double>(*gpus.tegra->ram->largest_free_bytes));
    One(to, "tegra_lfb_nblock_count", "How many there are.",
        static_cast<double>(gpus.tegra->ram->free_blocks.value_or(0)));
  }
}

// tegrastats names sensors as dashboards know them; sysfs is the next best.
void ExportTegraTemperatures(const NodeReading& node, const NodeGpus& gpus,
                             http::Exposition& to) {
  // The name is misspelt where it comes from.
  to.Family("tegra_temperature_celcius", http::FamilyType::kGauge,
            "Temperature.");
  if (gpus.tegra && !gpus.tegra->temperatures.empty()) {
    for (const TegraTemperature& sensor : gpus.tegra->temperatures) {
      if (sensor.celsius) {
        to.Sample(Label("sensor", sensor.name), *sensor.celsius);
      }
    }
    return;
  }
  for (const NodeTemperature& temperature : node.temperatures) {
    to.Sample(Label("sensor", temperature.zone), temperature.celsius);
  }
}

void ExportTegraPower(const NodeReading& node, const NodeGpus& gpus,
                      http::Exposition& to) {
  to.Family("tegra_wattage_current_milliwatts", http::FamilyType::kGauge,
            "Power of a rail.");
  if (!gpus.tegra || gpus.tegra->rails.empty()) {
    for (const RailReading& rail : node.power.rails) {
      if (rail.watts) {
        to.Sample(Label("sensor", rail.name), *rail.watts * 1e3);
      }
    }
    return;
  }
  for (const TegraRail& rail : gpus.tegra->rails) {
    to.Sample(SensorOf(rail), rail.milliwatts);
  }
  to.Family("tegra_wattage_average_milliwatts", http::FamilyType::kGauge,
            "Mean power of a rail.");
  for (const TegraRail& rail : gpus.tegra->rails) {
    if (rail.mean_milliwatts) {
      to.Sample(SensorOf(rail), *rail.mean_milliwatts);
    }
  }
}

void ExportTegra(const NodeReading& node, const NodeGpus& gpus,
                 http::Exposition& to) {
  to.Family("tegra_cpu_frequency_hz", http::FamilyType::kGauge,
            "Clock of a core.");
  for (const CpuFrequency::Core& core : node.frequencies) {
    to.Sample(Label("cpu", std::to_string(core.cpu)),
              static_cast<double>(core.khz) * 1e3);
  }
  to.Family("tegra_cpu_util_percentage", http::FamilyType::kGauge,
            "Use of a core in percent.");
  for (size_t i = 0; i < node.core_percent.size(); ++i) {
    to.Sample(Label("cpu", std::to_string(i)), node.core_percent[i]);
  }
  if (const auto& memory = node.memory) {
    One(to, "tegra_ram_total_bytes", "Memory.",
        static_cast<double>(memory->total_bytes));
    One(to, "tegra_ram_used_bytes", "Memory in use.",
        static_cast<double>(memory->total_bytes - memory->available_bytes));
    One(to, "tegra_swap_total_bytes", "Swap.",
        static_cast<double>(memory->swap_total_bytes));
    One(to, "tegra_swap_used_bytes", "Swap in use.",
        static_cast<double>(memory->swap_total_bytes -
                            memory->swap_free_bytes));
    One(to, "tegra_swap_cached_bytes", "Swap that is in memory, too.",
        static_cast<double>(memory->swap_cached_bytes));
  }
  ExportTegraGpu(gpus, to);
  ExportTegraTemperatures(node, gpus, to);
  ExportTegraPower(node, gpus, to);
}

void ExportCharacterisation(const AgentSnapshot& snapshot,
                            http::Exposition& to) {
  const Machine& machine = snapshot.machine;
  http::LabelText labels;
  labels.Add("char_node_name", machine.hostname);
  labels.Add("char_node_class",
             machine.virtualization.empty() ? "Computer" : "VM");
  labels.Add("char_node_uuid", snapshot.node_uuid);
  const auto with = [&](std::string_view key, std::string_view value) {
    http::LabelText more = labels;
    return more.Add(key, value);
  };
  to.Family("char_node_device_model", http::FamilyType::kGauge,
            "1; what the node is.");
  to.Sample(with("char_node_device_model_name",
                 machine.board.empty() ? machine.cpu_model : machine.board),
            1.0);
  One(to, "char_node_ram_total_bytes", "Memory of the node.",
      static_cast<double>(machine.memory_bytes), labels.text());
  http::LabelText cpu = labels;
  cpu.Add("char_node_cpu_brand", machine.cpu_model);
  cpu.Add("char_node_cpu_arch", machine.architecture);
  cpu.Add("char_node_cpu_bits", "64");
  One(to, "char_node_cpu_total_cores", "Cores of the node.", machine.cores,
      cpu.text());
  if (snapshot.node.power.total_watts) {
    One(to, "char_node_cpu_energy_watt", "Power of the node now.",
        *snapshot.node.power.total_watts, labels.text());
  }
  for (const NodeDisk& disk : snapshot.node.disks) {
    One(to, "char_node_disk_total_size", "Size of the disk in bytes.",
        static_cast<double>(disk.total_bytes), labels.text());
  }
  http::LabelText os = labels;
  os.Add("char_node_os_name", machine.os);
  os.Add("char_node_os_version", machine.kernel);
  One(to, "char_node_os", "1; the system of the node.", 1, os.text());
  if (snapshot.gpus.devices.empty()) {
    return;
  }
  to.Family("char_node_gpu", http::FamilyType::kGauge, "1; a GPU of the node.");
  for (const NodeGpu& gpu : snapshot.gpus.devices) {
    http::LabelText more = labels;
    more.Add("char_node_gpu_model", gpu.device.name);
    more.Add("char_node_gpu_type",
             gpu.device.integrated ? "integrated" : "dedicated");
    more.Add("char_node_gpu_id", std::to_string(gpu.device.index));
    to.Sample(more, 1.0);
  }
}

void ExportWaggle(const AgentSnapshot& snapshot, http::Exposition& to) {
  const NodeReading& node = snapshot.node;
  const std::string device = Label("testbed_device", snapshot.machine.hostname);
  if (node.memory) {
    One(to, "TegraRAMUsage", "Memory in use in MB.",
        static_cast<double>(node.memory->total_bytes -
                            node.memory->available_bytes) /
            (1 << 20),
        device);
  }
  if (!node.core_percent.empty()) {
    double sum = 0;
    for (const double percent : node.core_percent) {
      sum += percent;
    }
    One(to, "TegraCPUUsage", "Sum of the use of all cores in percent.", sum,
        device);
  }
  if (!snapshot.gpus.devices.empty()) {
    const NodeGpu& gpu = snapshot.gpus.devices.front();
    if (gpu.reading.memory_used_bytes) {
      One(to, "GPUMemoryUsage", "GPU memory in use in bytes.",
          static_cast<double>(*gpu.reading.memory_used_bytes), device);
    }
    if (gpu.device.memory_bytes) {
      One(to, "GPUMemoryTotal", "GPU memory in bytes.",
          static_cast<double>(*gpu.device.memory_bytes), device);
    }
  }
  // Apps were numbered in the order in which they connected.
  std::map<uint64_t, const AppSnapshot*> in_order;
  for (const AppSnapshot& app : snapshot.apps) {
    in_order.emplace(app.id, &app);
  }
  int number = 0;
  for (const auto& [id, app] : in_order) {
    std::set<std::string> used;
    for (const MetricSnapshot& metric : app->metrics) {
      const bool duration =
          metric.kind == EventKind::kSpan || metric.kind == EventKind::kJob;
      const std::string name =
          "app" + std::to_string(number) + "_" + MetricName(metric.name);
      if (!used.insert(name).second) {
        continue;  // another name that reads the same
      }
      to.Family(name + "_value", http::FamilyType::kGauge,
                "The last value; durations in seconds.");
      to.Sample(device, duration ? metric.last / 1e9 : metric.last);
      to.Family(name + "_timestamp", http::FamilyType::kGauge,
                "When it came, in seconds since 1970.");
      to.Sample(device,
                static_cast<double>(snapshot.utc_ns) / 1e9 - metric.age_s);
    }
    ++number;
  }
}

}  // namespace

void ExportOldNames(const AgentSnapshot& snapshot, const OldNames& old_names,
                    http::Exposition& to) {
  if (old_names.tegra) {
    ExportTegra(snapshot.node, snapshot.gpus, to);
  }
  if (old_names.characterisation) {
    ExportCharacterisation(snapshot, to);
  }
  if (old_names.waggle) {
    ExportWaggle(snapshot, to);
  }
}

}  // namespace edgewise::live
