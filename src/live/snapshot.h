// AgentSnapshot: everything the agent knows at one moment, as values.
//
// Taken by the agent's loop under its lock; text, JSON and metrics are made
// from it without.
#ifndef EDGEWISE_LIVE_SNAPSHOT_H_
#define EDGEWISE_LIVE_SNAPSHOT_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/machine.h"
#include "control/controller.h"
#include "live/app.h"
#include "live/control_loop.h"
#include "live/gpu_watch.h"
#include "live/node_probe.h"
#include "live/registry.h"

namespace edgewise::live {

struct MetricSnapshot {
  EventKind kind = EventKind::kSpan;
  std::string name;
  uint64_t count = 0;
  DurationCounts durations;  // of spans and jobs
  uint64_t deadline_misses = 0;
  // Durations in nanoseconds.
  std::array<WindowFigures, kWindows.size()> windows;
  double last = 0;
  double age_s = 0;
};

struct AppSnapshot {
  uint64_t id = 0;
  AppIdentity identity;
  uint32_t uid = 0;
  int32_t pid = 0;
  bool alive = true;
  int64_t started_utc_ns = 0;
  uint64_t restarts = 0;
  uint64_t gaps = 0;
  std::optional<double> last_gap_s;
  RingAccount account;  // without names
  std::optional<AppReading> reading;
  std::vector<Anomaly> anomalies;
  std::vector<MetricSnapshot> metrics;
  std::string goal;                  // as written; empty: none
  control::AppControlState control;  // not under control without goals
};

struct AgentUse {
  double cpu_s = 0;
  int64_t rss_bytes = 0;
  double uptime_s = 0;
  uint64_t refused_clients = 0;
  std::string last_refusal;
};

struct AgentSnapshot {
  int64_t utc_ns = 0;
  std::string node_uuid;
  Machine machine;
  std::string version;
  NodeReading node;
  NodeGpus gpus;
  AgentUse agent;
  std::optional<ControlSnapshot> control;
  std::vector<AppSnapshot> apps;  // in order of name, container, pod, instance
};

std::vector<AppSnapshot> SnapshotApps(const Registry& registry, int64_t now_ns,
                                      Intervals intervals = Intervals::kWith);

// The span or job that says most of how fast an app is: the one with the most
// events in the last minute; null if there is none.
const MetricSnapshot* MainMetric(const AppSnapshot& app);

// "span", "gauge", "counter", "rate" or "job".
const char* KindName(EventKind kind);

// {"utc": …, "node": …, "agent": …, "apps": […]}; docs/agent.md says what.
std::string SnapshotJson(const AgentSnapshot& snapshot);

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_SNAPSHOT_H_
