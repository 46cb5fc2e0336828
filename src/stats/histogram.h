// Counts and cumulative shares for pictures: a bounded number of points
// whatever the number of samples.
#ifndef EDGEWISE_STATS_HISTOGRAM_H_
#define EDGEWISE_STATS_HISTOGRAM_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stats/sketch.h"

namespace edgewise::stats {

enum class HistogramScale {
  kLinear,
  kLog,   // falls back to linear where a value is not positive
  kAuto,  // logarithmic if all are positive and max > 100 min
};

struct HistogramBin {
  double low = 0;   // inclusive
  double high = 0;  // exclusive, but inclusive in the last bin
  uint64_t count = 0;
};

struct Histogram {
  bool logarithmic = false;
  // Ascending and adjacent, from the minimum to the maximum; one bin with
  // low = high where all values are equal, none without values.
  std::vector<HistogramBin> bins;
};

// Equal bins on the chosen scale, 2 n^(1/3) of them (Rice's rule) but at most
// max_bins >= 1. Values that are not finite are left out.
Histogram MakeHistogram(std::span<const double> values, HistogramScale scale,
                        size_t max_bins = 60);
// The same from a sketch; each of its buckets is counted where its middle
// lies.
Histogram MakeHistogram(const Sketch& sketch, HistogramScale scale,
                        size_t max_bins = 60);

// A point of the empirical distribution function: the share of all values that
// is <= value.
struct CdfPoint {
  double value = 0;
  double share = 0;
};

// At most max_points >= 2 points with strictly ascending value and share; the
// last is (maximum, 1). Half of them are spread evenly over the shares, half
// ever denser towards 1, where tails are read. Values that are not finite are
// left out.
std::vector<CdfPoint> CdfPoints(std::span<const double> values,
                                size_t max_points = 200);

}  // namespace edgewise::stats

#endif  // EDGEWISE_STATS_HISTOGRAM_H_
