// Curve: Runs over one or more knobs, with what more of a knob buys.
#ifndef EDGEWISE_EXPERIMENTS_CURVE_H_
#define EDGEWISE_EXPERIMENTS_CURVE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "experiments/attempts.h"
#include "experiments/knob.h"
#include "experiments/run_figures.h"
#include "stats/compare.h"
#include "stats/quantile.h"
#include "stats/scaling_laws.h"
#include "store/store.h"

namespace edgewise {

// Figures of one repeat of a point, for comparing points repeat by repeat.
struct CurveRepeat {
  int repeat = 0;
  RunFigures figures;
};

struct MeasuredPoint {
  KnobSetting setting;
  std::string name;                  // FormatSetting
  std::vector<CurveRepeat> repeats;  // of Runs that succeeded
  std::vector<std::string> runs;     // their ids
  int64_t items = 0;                 // over all of them
  // Geometric means of the Runs' figures with Student's t intervals. A
  // percentile's ends are absent where all items together are too few for it.
  std::array<std::optional<stats::Estimate>, kFigureKinds> figures;
  int failed = 0;
  std::string failure;      // of the last one: "exit code 3"
  int disturbed = 0;        // Runs that count although they were disturbed
  std::string disturbance;  // of the worst
  // Cores that it can keep busy: the least of threads, cores and quota.
  double parallelism = 1;
  // Throughput over that of its base: the point with the least parallelism
  // and threads that is the same otherwise. nullopt for the base itself, and
  // where throughput is what arrives (an open loop).
  std::optional<stats::Comparison> speed_up;
  std::string base;  // its name; empty for a base
  // speed_up over the ratio of parallelism.
  std::optional<double> efficiency;

  const std::optional<stats::Estimate>& operator[](FigureKind kind) const {
    return figures[static_cast<size_t>(kind)];
  }
};

// Laws fitted over one knob while all others stay.
struct CurveLaw {
  std::string knob;   // "threads", "cpus" or "quota"
  KnobSetting fixed;  // the others
  std::optional<stats::ScalingFit> amdahl;
  std::optional<stats::ScalingFit> universal;
  std::optional<stats::ScalingLaw> better;
  std::string reason;  // why there is none
};

// A value of a knob against its first value, all else equal.
struct ValueComparison {
  std::string knob;
  std::string value;
  std::string against;
  KnobSetting fixed;
  stats::Comparison throughput;  // B over A
  stats::Comparison p50;
  stats::Comparison memory;
};

struct Curve {
  std::string group;
  std::vector<std::string> command;  // of the first Run
  std::string machine;
  std::string span;  // the item; empty: the whole program
  std::vector<Knob> knobs;
  std::vector<MeasuredPoint> points;  // in the order of the knobs' values
  std::vector<CurveLaw> laws;
  std::vector<ValueComparison> comparisons;
  std::vector<std::string> advice;  // sentences
  std::vector<std::string> notes;   // what weakens the figures
};

struct CurveRequest {
  std::string span;  // empty: ItemSpan of the first Run that succeeded
  DisturbanceLimits limits;
};

// From the stored Runs of a sweep. Refused: no Runs, Runs that are no sweep's,
// a span that no Run has (the error lists those there are).
Result<Curve> MakeCurve(const Store& store, const std::string& group,
                        const CurveRequest& request);

// A value of a knob as a number, if it is one: cores of "0-1", "2", "50%", MHz
// of "1.2GHz".
std::optional<double> KnobNumber(std::string_view knob, std::string_view value);

// B over A of one figure, repeat by repeat.
stats::Comparison ComparePoints(const MeasuredPoint& a, const MeasuredPoint& b,
                                FigureKind kind);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_CURVE_H_
