// LiveApp: one running instance of an app, with all that is known of it.
//
// Plain state that the registry keeps, the sink and the sampler fill in, and a
// controller may read: who it is, how it does, and which cgroup to act on.
#ifndef EDGEWISE_LIVE_APP_H_
#define EDGEWISE_LIVE_APP_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/cgroups.h"
#include "live/app_probe.h"
#include "live/identity.h"
#include "live/memory_growth.h"
#include "live/metric.h"
#include "probes/rings/ring_events.h"

namespace edgewise::live {

// A way in which an app has left what its card says.
struct Anomaly {
  std::string kind;      // "latency", "memory", "memory growth", "cpu"
  std::string evidence;  // one sentence with the figures
};

struct LiveApp {
  uint64_t id = 0;  // never used again
  AppIdentity identity;
  uint32_t uid = 0;
  int32_t pid = 0;
  bool alive = true;
  int64_t first_ns = 0;  // CLOCK_MONOTONIC
  int64_t started_utc_ns = 0;
  std::optional<int64_t> gone_ns;
  uint64_t restarts = 0;
  // Times in which the app ran and nobody collected.
  uint64_t gaps = 0;
  std::optional<int64_t> last_gap_ns;

  // By kind and name, in order. Bounded: names beyond that are refused.
  std::map<std::pair<EventKind, std::string>, std::unique_ptr<LiveMetric>>
      metrics;
  // What became of its records: of processes that are gone, and of this one.
  RingAccount account_before;
  RingAccount account;

  std::unique_ptr<AppProbe> probe;  // null once the process is gone
  std::optional<AppReading> reading;
  MemoryTrail memory;  // of this process
  std::vector<Anomaly> anomalies;
};

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_APP_H_
