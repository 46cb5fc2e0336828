#include "stats/span_stream.h"

#include <algorithm>
#include <cmath>

namespace edgewise::stats {

void SpanStream::Add(double value) {
  sketch_.Add(value);
  if (!std::isfinite(value)) return;
  moments_.Add(value);
  batches_.Add(value);
}

void SpanStream::Add(double value, int64_t start_ns, int64_t end_ns) {
  Add(value);
  if (!window_) {
    window_ = TimeWindow{start_ns, end_ns};
    return;
  }
  window_->first_start_ns = std::min(window_->first_start_ns, start_ns);
  window_->last_end_ns = std::max(window_->last_end_ns, end_ns);
}

SpanSummary SpanStream::Summary() const {
  return Summarise(sketch_, moments_, batches_.EffectiveSampleSize(), window_);
}

}  // namespace edgewise::stats
