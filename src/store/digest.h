// SeriesDigest: what is kept of records that are too many to store.
//
// Constant size whatever the length of the stream. Of spans and jobs `values`
// are wall times in ns, of points their values.
#ifndef EDGEWISE_STORE_DIGEST_H_
#define EDGEWISE_STORE_DIGEST_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "stats/sketch.h"
#include "store/run.h"

namespace edgewise {

// Mean, spread and steps of a stream; unlike stats::Moments it can be written
// to disk and read back.
struct StreamMoments {
  int64_t count = 0;
  double mean = 0;
  double squares = 0;         // sum of squared deviations from the mean
  int64_t steps = 0;          // from one value to the next
  double absolute_steps = 0;  // sum of |x_i - x_(i-1)|
  double last = 0;

  void Add(double value);
  // As if other's stream had followed, but for the step between the two.
  void Merge(const StreamMoments& other);
  // Sample standard deviation and jitter; nullopt below two values.
  std::optional<double> stddev() const;
  std::optional<double> jitter() const;
};

struct SeriesDigest {
  stats::Sketch values;
  StreamMoments moments;
  int64_t first_ns = 0;  // start of the first record
  int64_t last_ns = 0;   // end of the last one
  int64_t cpu_count = 0;
  double cpu_total_ns = 0;
  // Jobs only.
  stats::Sketch responses;  // end - release, ns
  int64_t deadline_misses = 0;
  double max_lateness_ns = 0;

  void Add(const Span& span);
  void Add(const Job& job);
  void Add(const Point& point);
  int64_t count() const { return moments.count; }
};

std::string EncodeDigest(const SeriesDigest& digest);
Result<SeriesDigest> DecodeDigest(std::string_view bytes);

}  // namespace edgewise

#endif  // EDGEWISE_STORE_DIGEST_H_
