// SpanSamples: the figures of one span name as samples in time order, ready
// for statistics.
#ifndef EDGEWISE_STORE_SAMPLES_H_
#define EDGEWISE_STORE_SAMPLES_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "stats/summary.h"
#include "store/analysis.h"
#include "store/digest.h"
#include "store/run.h"
#include "store/store.h"

namespace edgewise {

struct SpanSamples {
  std::string name;
  // One per record that started after the warm-up, in the order of starts.
  std::vector<double> wall_ns;
  std::vector<int64_t> start_ns;
  std::vector<double> cpu_ns;  // only of records that have it
  // The rest of a series that was too long to store; nullopt if it was not.
  std::optional<SeriesDigest> digest;
  std::optional<stats::TimeWindow> window;
  int64_t dropped = 0;
  int64_t warmup_excluded = 0;
  // Jobs only.
  bool are_jobs = false;
  std::vector<double> response_ns;
  int64_t deadline_misses = 0;
  std::optional<double> max_lateness_ns;
};

// Whether a series has samples: spans and jobs do.
bool HasSamples(const SeriesInfo& series);

Result<SpanSamples> LoadSamples(const Store& store, const Run& run,
                                const SeriesInfo& series);

// The figures of one Run's samples, or of several Runs' samples pooled. At
// least one part; all of the same name.
SpanAnalysis AnalyseSamples(std::span<const SpanSamples> parts,
                            const AnalysisDetail& detail = kPlainDetail);

}  // namespace edgewise

#endif  // EDGEWISE_STORE_SAMPLES_H_
