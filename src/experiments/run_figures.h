// The few figures of one Run that experiments compare.
#ifndef EDGEWISE_EXPERIMENTS_RUN_FIGURES_H_
#define EDGEWISE_EXPERIMENTS_RUN_FIGURES_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "store/analysis.h"
#include "store/run.h"

namespace edgewise {

enum class FigureKind {
  kThroughput,
  kP50,
  kP95,
  kP99,
  kJitter,
  kCpu,
  kMemory,
  kEnergy,
};
inline constexpr size_t kFigureKinds = 8;

struct FigureInfo {
  std::string_view key;    // for JSON and files: "p50_ns"
  std::string_view title;  // for people: "p50"
  // "1/s", "ns", "cores", "bytes", "J".
  std::string_view unit;
  bool more_is_better = false;
};
const FigureInfo& InfoOf(FigureKind kind);
// 0.95 for kP95; nullopt for what is no percentile.
std::optional<double> PercentileOf(FigureKind kind);
// In the order in which they are shown.
const std::array<FigureKind, kFigureKinds>& AllFigures();

struct RunFigures {
  std::array<std::optional<double>, kFigureKinds> values;
  int64_t items = 0;  // spans that the latencies rest on
  std::optional<double> operator[](FigureKind kind) const {
    return values[static_cast<size_t>(kind)];
  }
};

// The span that an experiment is about: the one in which most of the time was
// spent; empty if the Run has none, and then the whole program is the item.
std::string ItemSpan(const RunAnalysis& analysis);

// Latencies of `span` (of jobs: from release to end), or wall time of the
// program where `span` is empty. Jitter is the standard deviation.
RunFigures FiguresOf(const Run& run, const RunAnalysis& analysis,
                     const std::string& span);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_RUN_FIGURES_H_
