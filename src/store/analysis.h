// Analysis: the one place that turns stored Runs into numbers.
//
// Text, JSON, cards and the web show what is computed here, so that they
// cannot disagree. Times are nanoseconds as in the store. What is unknown is
// nullopt.
#ifndef EDGEWISE_STORE_ANALYSIS_H_
#define EDGEWISE_STORE_ANALYSIS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "stacks/difference.h"
#include "stacks/functions.h"
#include "stacks/profile.h"
#include "stats/compare.h"
#include "stats/histogram.h"
#include "stats/summary.h"
#include "store/run.h"
#include "store/store.h"

namespace edgewise {

inline constexpr size_t kMaxBins = 24;
inline constexpr size_t kMaxTrend = 240;

// How much is worked out for pictures; the figures are the same with any.
struct AnalysisDetail {
  size_t max_bins = kMaxBins;    // at least 1
  size_t max_trend = kMaxTrend;  // at least 1
  // SpanAnalysis::distribution and over_time; 0: left empty.
  size_t max_distribution = 0;
  size_t max_buckets = 0;
};
// For the terminal, JSON and tables.
inline constexpr AnalysisDetail kPlainDetail{};
// For large charts. Bounded, so that a report is small whatever the Run.
inline constexpr AnalysisDetail kChartDetail{160, 600, 240, 600};

// A point of the distribution: `share` of all samples are at or below `value`,
// which is an estimate of that quantile with its 95% interval.
struct DistributionPoint {
  double share = 0;  // above 0, at most 1
  stats::Estimate value;
};

// The spans that started within one equal share of a Run's time.
struct TimeBucket {
  int64_t start_ns = 0;  // of the first of them
  int64_t count = 0;     // at least 1
  double min_ns = 0;
  double median_ns = 0;
  double p99_ns = 0;
  double max_ns = 0;
};

// Of a periodic activity: what became of its jobs.
struct JobAnalysis {
  int64_t deadline_misses = 0;     // jobs that ended after their deadline
  stats::SpanSummary response_ns;  // end - release, waiting included
  // Of the worst job, end - deadline; negative if all were in time.
  std::optional<double> max_lateness_ns;
};

// All spans, or jobs, of one name.
struct SpanAnalysis {
  std::string name;
  stats::SpanSummary wall_ns;  // of jobs: end - start
  // Of the spans whose CPU time was measured (EDGEWISE_MEASURE, not Timer).
  int64_t cpu_count = 0;
  std::optional<double> cpu_mean_ns;
  std::optional<double> cpu_total_ns;
  int64_t dropped = 0;          // known to be lost; in no figure
  int64_t warmup_excluded = 0;  // started within --warmup; in no figure
  // Of those in the figures, known only by their distribution.
  int64_t summarised = 0;
  std::optional<JobAnalysis> jobs;
  // Of wall_ns, for pictures; at most AnalysisDetail::max_bins bins.
  stats::Histogram histogram;
  // Of wall_ns, ascending in share and value, denser towards 1; the last is
  // the maximum, without an interval.
  std::vector<DistributionPoint> distribution;
  // Of wall_ns in the order of time, without empty ones. Of one Run's records
  // that are stored one by one; none of pooled Runs.
  std::vector<TimeBucket> over_time;
};

// A gauge of the app, or something edgewise sampled. Not-finite values are
// left out. The warm-up is part of it: a peak at the start is a peak.
struct SeriesAnalysis {
  std::string name;
  SeriesKind kind = SeriesKind::kSystem;
  std::string unit;
  int64_t count = 0;
  int64_t dropped = 0;
  std::optional<double> min;
  std::optional<double> mean;  // of the points
  std::optional<double> max;
  std::optional<double> last;
  // The points for pictures: all of them, or beyond AnalysisDetail::max_trend
  // the means of equal shares of consecutive points.
  std::vector<Point> trend;
};

// Where the program's time went, of its sampled call stacks.
struct StackAnalysis {
  std::vector<stacks::FunctionUse> functions;  // most self first
  stacks::Collection collection;
  int64_t total = 0;  // sum of all counts, in collection.unit
  // Wall time that no CPU time of the tree covers, 100 * (1 - CPU / wall), at
  // least 0: for a program with one thread the time that it waited. Where
  // several cores were busy it tells nothing of single threads.
  std::optional<double> off_cpu_percent;
};

struct RunAnalysis {
  std::vector<SpanAnalysis> spans;     // in the order of their first record
  std::vector<SeriesAnalysis> series;  // likewise
  // CPU time over wall time, all threads: 200 is two cores kept busy.
  std::optional<double> cpu_percent;
  // From hardware counters.
  std::optional<double> instructions_per_cycle;
  std::optional<double> cache_miss_percent;
  std::optional<double> branch_miss_percent;
  std::optional<StackAnalysis> stacks;  // nullopt if none were sampled
  // Sentences on what weakens the figures, beside Run::warnings.
  std::vector<std::string> warnings;
};

Result<RunAnalysis> Analyse(const Store& store, const Run& run,
                            const AnalysisDetail& detail = kPlainDetail);

// One total across repeats.
struct RepeatFigure {
  std::string name;   // as in the Run's totals, or "cpu_s": user and system
  std::string unit;   // "s", "bytes", "J", ""
  int64_t count = 0;  // of Runs that have it
  double mean = 0;
  double min = 0;
  double max = 0;
  std::optional<double> stddev;  // from two Runs on
  // 95% interval of the mean by Student's t, from two Runs on. No total is
  // negative: an interval that would reach below 0 is cut off there.
  std::optional<double> low;
  std::optional<double> high;
};

struct GroupAnalysis {
  int64_t runs = 0;
  std::vector<RunAnalysis> each;  // in the order of the Runs
  std::vector<RepeatFigure> figures;
  std::vector<SpanAnalysis> spans;  // pooled over all Runs
  std::vector<std::string> warnings;
};

// `runs`: at least one, in the order in which they were made.
Result<GroupAnalysis> AnalyseGroup(const Store& store,
                                   std::span<const Run> runs);

// A total of B against that of A. For memory and counts "faster" reads "less".
struct TotalComparison {
  std::string name;
  std::string unit;
  // Geometric means over the side's Runs, so that b / a is the ratio; plain
  // means where there is no ratio (a Run has 0, or a side has no figure).
  std::optional<double> a;
  std::optional<double> b;
  stats::Comparison ratio;  // B over A
};

// What a ratio of spans is the ratio of, in ns.
struct ComparedFigures {
  std::optional<double> a;
  std::optional<double> b;
};

struct SpanComparison {
  std::string name;
  SpanAnalysis a;  // pooled over the side's Runs
  SpanAnalysis b;
  stats::Comparison mean;
  stats::Comparison median;
  stats::Comparison p99;
  // Geometric means of the Runs' figures where whole Runs are compared, else
  // those of the pooled spans.
  ComparedFigures mean_ns;
  ComparedFigures median_ns;
  ComparedFigures p99_ns;
};

struct RunComparison {
  std::vector<Run> a;
  std::vector<Run> b;
  bool interleaved = false;
  std::vector<TotalComparison> totals;
  std::vector<SpanComparison> spans;   // of names that both sides have
  std::vector<std::string> only_in_a;  // span names
  std::vector<std::string> only_in_b;
  // Of all functions of either side, by size of change; empty unless both
  // sides have stacks.
  std::vector<stacks::FunctionChange> functions;
  std::vector<std::string> warnings;
};

// Two stored Runs. A Run of a group stands for all Runs of the group that
// have its role. From five Runs on each side spans are compared by the
// figures of whole Runs; below that by the spans within, which says nothing of
// how Runs vary among themselves (`warnings` tells).
Result<RunComparison> CompareRuns(const Store& store, const Run& a,
                                  const Run& b,
                                  const AnalysisDetail& detail = kPlainDetail);
// Runs made in turns: a[i] and b[i] next to each other.
Result<RunComparison> CompareInterleaved(const Store& store,
                                         std::span<const Run> a,
                                         std::span<const Run> b);

// Any Runs against any others: order tells nothing.
Result<RunComparison> CompareSets(const Store& store, std::span<const Run> a,
                                  std::span<const Run> b);

// The stacks of all the Runs as one profile; nullopt if none has any.
Result<std::optional<stacks::StackProfile>> PooledStacks(
    const Store& store, std::span<const Run> runs);

// Whether anything was shown to be slower or larger in B: wall and CPU time,
// memory, and spans (counts such as faults or switches do not decide).
bool AnySlower(const RunComparison& comparison);

}  // namespace edgewise

#endif  // EDGEWISE_STORE_ANALYSIS_H_
