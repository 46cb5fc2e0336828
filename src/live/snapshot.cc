#include "live/snapshot.h"

#include <algorithm>
#include <tuple>

namespace edgewise::live {
namespace {

MetricSnapshot SnapshotMetric(const LiveMetric& metric, int64_t now_ns,
                              Intervals intervals) {
  MetricSnapshot snapshot;
  snapshot.kind = metric.kind();
  snapshot.name = metric.name();
  snapshot.count = metric.count();
  snapshot.durations = metric.durations();
  snapshot.deadline_misses = metric.deadline_misses();
  for (size_t i = 0; i < kWindows.size(); ++i) {
    snapshot.windows[i] = metric.rolling().Read(kWindows[i], now_ns, intervals);
  }
  snapshot.last = metric.last();
  snapshot.age_s = static_cast<double>(now_ns - metric.last_ns()) / 1e9;
  return snapshot;
}

RingAccount Sum(const RingAccount& a, const RingAccount& b) {
  RingAccount sum;
  sum.delivered = a.delivered + b.delivered;
  sum.dropped_full = a.dropped_full + b.dropped_full;
  sum.dropped_reentry = a.dropped_reentry + b.dropped_reentry;
  sum.dropped_no_slot = a.dropped_no_slot + b.dropped_no_slot;
  sum.dropped_no_name = a.dropped_no_name + b.dropped_no_name;
  sum.invalid = a.invalid + b.invalid;
  sum.truncated_meta = a.truncated_meta + b.truncated_meta;
  return sum;
}

AppSnapshot SnapshotApp(const LiveApp& app, int64_t now_ns,
                        Intervals intervals) {
  AppSnapshot snapshot;
  snapshot.id = app.id;
  snapshot.identity = app.identity;
  snapshot.uid = app.uid;
  snapshot.pid = app.pid;
  snapshot.alive = app.alive;
  snapshot.started_utc_ns = app.started_utc_ns;
  snapshot.restarts = app.restarts;
  snapshot.gaps = app.gaps;
  if (app.last_gap_ns) {
    snapshot.last_gap_s = static_cast<double>(*app.last_gap_ns) / 1e9;
  }
  snapshot.account = Sum(app.account_before, app.account);
  if (app.alive) {
    snapshot.reading = app.reading;
  }
  snapshot.anomalies = app.anomalies;
  for (const auto& [key, metric] : app.metrics) {
    snapshot.metrics.push_back(SnapshotMetric(*metric, now_ns, intervals));
  }
  return snapshot;
}

}  // namespace

std::vector<AppSnapshot> SnapshotApps(const Registry& registry, int64_t now_ns,
                                      Intervals intervals) {
  std::vector<AppSnapshot> apps;
  apps.reserve(registry.apps().size());
  for (const auto& [id, app] : registry.apps()) {
    apps.push_back(SnapshotApp(*app, now_ns, intervals));
  }
  std::sort(apps.begin(), apps.end(),
            [](const AppSnapshot& a, const AppSnapshot& b) {
              const auto key = [](const AppIdentity& i) {
                return std::tie(i.name, i.container, i.pod, i.instance);
              };
              return key(a.identity) < key(b.identity);
            });
  return apps;
}

const MetricSnapshot* MainMetric(const AppSnapshot& app) {
  constexpr auto kMinute = static_cast<size_t>(Window::k1min);
  const MetricSnapshot* found = nullptr;
  for (const MetricSnapshot& metric : app.metrics) {
    const bool is_duration =
        metric.kind == EventKind::kSpan || metric.kind == EventKind::kJob;
    if (is_duration &&
        (found == nullptr ||
         metric.windows[kMinute].count > found->windows[kMinute].count)) {
      found = &metric;
    }
  }
  return found;
}

}  // namespace edgewise::live
