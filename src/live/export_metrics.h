// What the agent exports at /metrics: docs/agent.md lists the names.
#ifndef EDGEWISE_LIVE_EXPORT_METRICS_H_
#define EDGEWISE_LIVE_EXPORT_METRICS_H_

#include <string>

#include "http/exposition.h"
#include "live/snapshot.h"

namespace edgewise::live {

// Names that dashboards of other collectors scrape, beside edgewise's own.
struct OldNames {
  bool tegra = false;             // of the Jetson exporter: tegra_*
  bool characterisation = false;  // of the SOPRANO agent: char_node_*
  bool waggle = false;            // of the Waggle collector: Tegra*, app<N>_*
};

std::string MetricsText(const AgentSnapshot& snapshot,
                        http::ExpositionFormat format,
                        const OldNames& old_names);

// The parts, each in a file of its own.
void ExportApps(const AgentSnapshot& snapshot, http::Exposition& to);
// Nothing without a controller.
void ExportControl(const AgentSnapshot& snapshot, http::Exposition& to);
void ExportGpus(const NodeGpus& gpus, http::Exposition& to);
void ExportNode(const AgentSnapshot& snapshot, http::Exposition& to);
void ExportOldNames(const AgentSnapshot& snapshot, const OldNames& old_names,
                    http::Exposition& to);

// "edge camera" → "edge_camera": what Prometheus takes in a metric's name.
std::string MetricName(std::string_view text);

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_EXPORT_METRICS_H_
