// History: what all Runs of an app say together, by target, machine and
// version.
#ifndef EDGEWISE_HISTORY_HISTORY_H_
#define EDGEWISE_HISTORY_HISTORY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "history/demand.h"
#include "stats/compare.h"
#include "store/analysis.h"
#include "store/store.h"

namespace edgewise {

// A figure of whole Runs: the geometric mean with its 95% interval (from two
// Runs on), and the most that was seen.
struct RunFigure {
  int64_t runs = 0;
  stats::Estimate mean;
  double most = 0;
};

// The Runs of one version that went well, on one machine, with one target.
struct VersionProfile {
  std::string version;    // empty: not known
  std::vector<Run> runs;  // oldest first; at least one
  int64_t failed = 0;     // further Runs, which are in no figure
  std::optional<RunFigure> wall_s;
  std::optional<RunFigure> cpu_cores;     // CPU time over wall time
  std::optional<RunFigure> memory_bytes;  // peak of all processes
  std::optional<RunFigure> gpu_memory_bytes;
  std::optional<RunFigure> energy_j;
  std::vector<SpanAnalysis> spans;  // pooled over the Runs
};

// A figure of one version against that of the version before.
struct VersionChange {
  std::string from;
  std::string to;
  std::string figure;  // "wall_s", "frame p99"
  std::string unit;    // "s", "bytes", "J", "ns"
  std::optional<double> before;
  std::optional<double> after;
  stats::Comparison ratio;  // after over before
  // The figures of one side come from fewer than five Runs: the interval holds
  // the spans within them, not how Runs vary.
  bool within_runs = false;
};

struct HistoryLine {
  std::string target;
  Machine machine;                       // of the newest Run
  std::vector<VersionProfile> versions;  // by when each first ran
  std::vector<VersionChange> changes;    // slower, larger, faster or smaller
  int64_t compared = 0;                  // figures compared, for `changes`
  int64_t insufficient = 0;              // of them without an interval
  ResourceAdvice resources;              // for the newest version
};

struct WorstMemory {
  int64_t bytes = 0;
  std::string run_id;
  std::string version;
  std::string target;
  std::string machine;
};

struct History {
  std::string app;
  int64_t runs = 0;    // all of the app
  int64_t varied = 0;  // of them made by experiments, and left out
  int64_t failed = 0;  // of them that did not go well, and left out
  int64_t first_utc_ns = 0;
  int64_t last_utc_ns = 0;
  std::vector<HistoryLine> lines;  // the one with the newest Run first
  std::optional<WorstMemory> worst_memory;
  // Of the newest version that has call stacks; nullopt if none has any.
  std::string functions_version;
  std::optional<StackAnalysis> functions;
  std::vector<std::string> warnings;
};

// kNotFound if the store has no Run of the app; the error names near ones.
Result<History> MakeHistory(const Store& store, const std::string& app);

// An app of the store in one line.
struct KnownApp {
  std::string app;
  std::vector<std::string> versions;  // by when each first ran; known ones
  int64_t runs = 0;
  int64_t last_utc_ns = 0;
};
// The one with the newest Run first.
Result<std::vector<KnownApp>> KnownApps(const Store& store);

}  // namespace edgewise

#endif  // EDGEWISE_HISTORY_HISTORY_H_
