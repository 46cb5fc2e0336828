// LiveMetric: what one app says under one name, as it arrives.
#ifndef EDGEWISE_LIVE_METRIC_H_
#define EDGEWISE_LIVE_METRIC_H_

#include <array>
#include <cstdint>
#include <string>

#include "live/recent_values.h"
#include "live/rolling.h"
#include "probes/rings/ring_events.h"

namespace edgewise::live {

// Upper bounds of the classes in which durations are counted; one more class
// holds the rest. They never change: Prometheus compares them over time.
inline constexpr std::array<double, 16> kDurationBounds_s = {
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
    0.05,   0.1,     0.25,   0.5,   1,      2.5,   5,    10};

// Of spans and jobs, since the app was first seen.
struct DurationCounts {
  std::array<uint64_t, kDurationBounds_s.size() + 1> by_class{};
  double sum_s = 0;
};

// Spans and jobs are durations in nanoseconds; gauges, rates and counters are
// values as reported. Not thread-safe.
class LiveMetric {
 public:
  LiveMetric(EventKind kind, std::string name, int64_t now_ns)
      : kind_(kind), name_(std::move(name)), rolling_(now_ns) {}

  void AddDuration(int64_t duration_ns, int64_t now_ns);
  void AddJob(int64_t duration_ns, bool missed, int64_t now_ns);
  void AddValue(double value, int64_t now_ns);
  // The process that counts is another one now: its total begins at 0 again.
  void BeginProcess();

  EventKind kind() const { return kind_; }
  const std::string& name() const { return name_; }
  bool is_duration() const {
    return kind_ == EventKind::kSpan || kind_ == EventKind::kJob;
  }
  uint64_t count() const { return count_; }
  const DurationCounts& durations() const { return durations_; }
  uint64_t deadline_misses() const { return deadline_misses_; }
  // Nanoseconds or a value; a counter's total over all its processes.
  double last() const { return last_; }
  int64_t last_ns() const { return last_ns_; }
  // Stays empty for counters.
  const RollingSketch& rolling() const { return rolling_; }
  // Of spans and jobs the rate, of others the last value, lately.
  const RecentValues& recent() const { return recent_; }
  void Remember(int64_t now_ns);

 private:
  EventKind kind_;
  std::string name_;
  uint64_t count_ = 0;
  double last_ = 0;
  int64_t last_ns_ = 0;
  double total_before_ = 0;  // of counters: of processes that are gone
  uint64_t deadline_misses_ = 0;
  DurationCounts durations_;
  RollingSketch rolling_;
  RecentValues recent_;
};

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_METRIC_H_
