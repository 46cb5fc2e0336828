// How long a neural network takes under background load that is asked for and
// measured: the sample app `dl` beside a stressor, load by load.
#ifndef EDGEWISE_EXPERIMENTS_MEASURE_MODEL_H_
#define EDGEWISE_EXPERIMENTS_MEASURE_MODEL_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/machine.h"
#include "base/result.h"
#include "stats/summary.h"

namespace edgewise {

struct MeasureModelRequest {
  std::filesystem::path home;
  std::string program;  // edgewise itself: the stressor
  std::string dl;       // the sample app
  std::string model;    // an ONNX file
  std::string precision = "fp32";
  // Of all cores, each core its share; 0 to 100.
  std::vector<double> loads_percent{0};
  std::vector<int> threads{1};
  int repeat = 30;  // inferences in the figures, at least
  int warmup = 5;   // before them
  // The figures cover at least this much time: load comes in slices, and short
  // inferences must meet all parts of them.
  int64_t least_ns = 2 * kNsPerSecond;
  // How long the load runs, and is measured, before the network starts.
  int64_t settle_ns = 2 * kNsPerSecond;
  uint64_t seed = 1;  // of the order, so that a drift is no effect of load
};

// Percentages are of all cores.
struct ModelMeasurement {
  double load_asked_percent = 0;
  int threads = 1;
  std::string failure;  // why there is nothing else; empty if there is
  // Used by all but the network, just before it started and while it ran;
  // nullopt where the time was too short to tell.
  std::optional<double> cpu_before_percent;
  std::optional<double> cpu_during_percent;
  bool load_reached = false;
  stats::SpanSummary inference_ns;  // without the warm-up
  int64_t warmup = 0;
  std::optional<double> preprocess_median_ns;
  std::optional<int64_t> peak_rss_bytes;
  std::string run_id;
};

struct MeasureModelReport {
  std::string group;  // of all its Runs
  Machine machine;
  std::string precision;
  std::vector<ModelMeasurement> rows;  // by threads, then load, as asked for
  bool cancelled = false;              // rows that are there are whole
};

// Told before each measurement.
struct MeasureModelProgress {
  size_t step = 0;  // from 1
  size_t steps = 0;
  std::string what;  // "50% load, 2 threads"
};
using MeasureModelListener = std::function<void(const MeasureModelProgress&)>;

// Refuses what cannot work before anything is measured: no such app, a network
// that the app cannot run (its own words say why). A measurement that fails
// later is a row that says so. No Store may be open in this process meanwhile.
Result<MeasureModelReport> MeasureModel(const MeasureModelRequest& request,
                                        const MeasureModelListener& progress);

// The sample app of that name: in $EDGEWISE_APPS, beside edgewise as built
// (apps/) or installed (lib/edgewise/apps/), or in $PATH. The error says where
// to get it.
Result<std::string> FindSampleApp(const std::string& name,
                                  const std::string& program);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_MEASURE_MODEL_H_
