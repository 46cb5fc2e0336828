// A snapshot of one app, for tests of what is made from it.
#ifndef EDGEWISE_TESTS_LIVE_SAMPLE_SNAPSHOT_H_
#define EDGEWISE_TESTS_LIVE_SAMPLE_SNAPSHOT_H_

#include "live/live_sink.h"
#include "live/snapshot.h"

namespace edgewise::live {

inline AgentSnapshot SampleSnapshot() {
  constexpr int64_t kNowNs = 1000 * kNsPerSecond;
  Registry registry;
  Newcomer newcomer;
  newcomer.identity.name = "cam \"1\"";
  newcomer.identity.labels = {{"site", "7"}};
  newcomer.pid = 42;
  LiveApp& app = registry.Join(newcomer, kNowNs);
  LiveMetric* span = MetricOf(app, EventKind::kSpan, "frame", kNowNs);
  LiveMetric* job = MetricOf(app, EventKind::kJob, "loop", kNowNs);
  LiveMetric* gauge = MetricOf(app, EventKind::kGauge, "queue len", kNowNs);
  for (int i = 1; i <= 100; ++i) {
    span->AddDuration(2'000'000, kNowNs + i * 10 * kNsPerMs);
    job->AddJob(1'000'000, i % 10 == 0, kNowNs + i * 10 * kNsPerMs);
  }
  gauge->AddValue(3, kNowNs);
  app.reading = AppReading{};
  app.reading->rss_bytes = 1 << 20;
  app.reading->cpu_ns = kNsPerSecond / 2;
  app.anomalies = {{"latency", "p95 is too long"}};
  AgentSnapshot snapshot;
  snapshot.node_uuid = "0000";
  snapshot.machine.hostname = "pi";
  snapshot.machine.cores = 4;
  snapshot.utc_ns = 1'700'000'000 * kNsPerSecond;
  snapshot.node.core_percent = {50, 25};
  snapshot.node.memory = NodeMemory{100 << 20, 60 << 20, 0, 0, 0};
  snapshot.node.temperatures = {{"cpu", 51.5}};
  snapshot.apps = SnapshotApps(registry, kNowNs + kNsPerSecond);
  return snapshot;
}

}  // namespace edgewise::live

#endif  // EDGEWISE_TESTS_LIVE_SAMPLE_SNAPSHOT_H_
