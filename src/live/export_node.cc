// The families edgewise_node_* and edgewise_agent_*.
#include <cctype>

#include "live/export_metrics.h"

namespace edgewise::live {
namespace {

constexpr double kNsPerS = 1e9;

std::string Label(std::string_view key, std::string_view value) {
  return http::LabelText().Add(key, value).text();
}

void ExportCpu(const NodeReading& node, http::Exposition& to) {
  to.Family("edgewise_node_cpu_seconds", http::FamilyType::kCounter,
            "CPU time of all cores by mode, since boot.", "seconds");
  if (node.cpu) {
    const CpuTimes& cpu = node.cpu->total;
    const std::pair<const char*, int64_t> modes[] = {
        {"user", cpu.user_ns},       {"nice", cpu.nice_ns},
        {"system", cpu.system_ns},   {"idle", cpu.idle_ns},
        {"iowait", cpu.iowait_ns},   {"irq", cpu.irq_ns},
        {"softirq", cpu.softirq_ns}, {"steal", cpu.steal_ns}};
    for (const auto& [mode, ns] : modes) {
      to.Sample(Label("mode", mode), static_cast<double>(ns) / kNsPerS);
    }
  }
  to.Family("edgewise_node_cpu_frequency_hertz", http::FamilyType::kGauge,
            "Clock of each core.", "hertz");
  for (const CpuFrequency::Core& core : node.frequencies) {
    to.Sample(Label("cpu", std::to_string(core.cpu)),
              static_cast<double>(core.khz) * 1e3);
  }
}

void ExportStorage(const NodeReading& node, http::Exposition& to) {
  if (node.memory) {
    to.Family("edgewise_node_memory_total_bytes", http::FamilyType::kGauge,
              "Memory of the node.", "bytes");
    to.Sample("", static_cast<double>(node.memory->total_bytes));
    to.Family("edgewise_node_memory_available_bytes", http::FamilyType::kGauge,
              "Memory that a program could still get.", "bytes");
    to.Sample("", static_cast<double>(node.memory->available_bytes));
  }
  to.Family("edgewise_node_disk_total_bytes", http::FamilyType::kGauge,
            "Size of a file system.", "bytes");
  for (const NodeDisk& disk : node.disks) {
    to.Sample(Label("mount", disk.mount),
              static_cast<double>(disk.total_bytes));
  }
  to.Family("edgewise_node_disk_available_bytes", http::FamilyType::kGauge,
            "What is free of it.", "bytes");
  for (const NodeDisk& disk : node.disks) {
    to.Sample(Label("mount", disk.mount),
              static_cast<double>(disk.available_bytes));
  }
}

void ExportSensors(const NodeReading& node, http::Exposition& to) {
  to.Family(
      "edgewise_node_pressure_waiting_seconds", http::FamilyType::kCounter,
      "Time in which some task waited for it (PSI), since boot.", "seconds");
  const std::pair<const char*, const std::optional<Pressure>&> resources[] = {
      {"cpu", node.pressure.cpu},
      {"memory", node.pressure.memory},
      {"io", node.pressure.io}};
  for (const auto& [resource, pressure] : resources) {
    if (pressure) {
      to.Sample(Label("resource", resource),
                static_cast<double>(pressure->some_ns) / kNsPerS);
    }
  }
  to.Family("edgewise_node_temperature_celsius", http::FamilyType::kGauge,
            "Temperature of a thermal zone.", "celsius");
  for (const NodeTemperature& temperature : node.temperatures) {
    to.Sample(Label("zone", temperature.zone), temperature.celsius);
  }
  to.Family("edgewise_node_power_watts", http::FamilyType::kGauge,
            "Power of a rail, now or since the reading before.", "watts");
  for (const RailReading& rail : node.power.rails) {
    if (rail.watts) {
      to.Sample(Label("rail", rail.name), *rail.watts);
    }
  }
  to.Family("edgewise_node_energy_joules", http::FamilyType::kCounter,
            "Energy of a rail since the agent started.", "joules");
  for (const RailReading& rail : node.power.rails) {
    if (rail.joules) {
      to.Sample(Label("rail", rail.name), *rail.joules);
    }
  }
}

void ExportAgent(const AgentSnapshot& snapshot, http::Exposition& to) {
  to.Family("edgewise_agent_info", http::FamilyType::kGauge,
            "1; the agent and the node that it runs on.");
  http::LabelText labels;
  labels.Add("version", snapshot.version)
      .Add("node", snapshot.machine.hostname);
  labels.Add("uuid", snapshot.node_uuid)
      .Add("arch", snapshot.machine.architecture);
  to.Sample(labels, 1.0);
  to.Family("edgewise_agent_cpu_seconds", http::FamilyType::kCounter,
            "CPU time of the agent itself.", "seconds");
  to.Sample("", snapshot.agent.cpu_s);
  to.Family("edgewise_agent_memory_rss_bytes", http::FamilyType::kGauge,
            "Resident memory of the agent itself.", "bytes");
  to.Sample("", static_cast<double>(snapshot.agent.rss_bytes));
  to.Family("edgewise_agent_uptime_seconds", http::FamilyType::kGauge,
            "How long the agent has been running.", "seconds");
  to.Sample("", snapshot.agent.uptime_s);
  to.Family("edgewise_agent_apps", http::FamilyType::kGauge,
            "Apps that are connected.");
  double alive = 0;
  for (const AppSnapshot& app : snapshot.apps) {
    alive += app.alive ? 1 : 0;
  }
  to.Sample("", alive);
  to.Family("edgewise_agent_refused_clients", http::FamilyType::kCounter,
            "Clients that were turned away or cut off.");
  to.Sample("", static_cast<double>(snapshot.agent.refused_clients));
}

}  // namespace

std::string MetricName(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool fits = byte < 0x80 && (std::isalnum(byte) != 0 || c == '_');
    name.push_back(fits ? c : '_');
  }
  return name;
}

void ExportNode(const AgentSnapshot& snapshot, http::Exposition& to) {
  ExportAgent(snapshot, to);
  ExportCpu(snapshot.node, to);
  ExportStorage(snapshot.node, to);
  ExportSensors(snapshot.node, to);
  ExportGpus(snapshot.gpus, to);
}

std::string MetricsText(const AgentSnapshot& snapshot,
                        http::ExpositionFormat format,
                        const OldNames& old_names) {
  http::Exposition to(format);
  ExportControl(snapshot, to);
  ExportNode(snapshot, to);
  ExportApps(snapshot, to);
  ExportOldNames(snapshot, old_names, to);
  return std::move(to).Finish();
}

}  // namespace edgewise::live
