// One span name's samples as they arrive, summarised in constant memory.
#ifndef EDGEWISE_STATS_SPAN_STREAM_H_
#define EDGEWISE_STATS_SPAN_STREAM_H_

#include <cstdint>
#include <optional>

#include "stats/batch_means.h"
#include "stats/moments.h"
#include "stats/sketch.h"
#include "stats/summary.h"

namespace edgewise::stats {

// For streams too long to keep. Percentiles come from the sketch, the effective
// sample size from batch means; that of the mean stands in for those of the
// percentiles, and there is no warm-up detection. Not thread-safe.
class SpanStream {
 public:
  // A sample; what is not finite is only counted.
  void Add(double value);
  // The same with its time, which throughput needs.
  void Add(double value, int64_t start_ns, int64_t end_ns);

  SpanSummary Summary() const;
  const Sketch& sketch() const { return sketch_; }
  const Moments& moments() const { return moments_; }

 private:
  Sketch sketch_;
  Moments moments_;
  BatchMeans batches_;
  std::optional<TimeWindow> window_;
};

}  // namespace edgewise::stats

#endif  // EDGEWISE_STATS_SPAN_STREAM_H_
