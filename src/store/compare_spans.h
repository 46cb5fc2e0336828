// One figure of all spans of a name, of two sides against each other.
#ifndef EDGEWISE_STORE_COMPARE_SPANS_H_
#define EDGEWISE_STORE_COMPARE_SPANS_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "stats/compare.h"
#include "store/analysis.h"
#include "store/pooled_samples.h"

namespace edgewise {

// From here on whole Runs are the samples.
inline constexpr size_t kEnoughRepeats = 5;

// Pairs hold only where both sides have a figure of every Run.
stats::Comparison CompareFigures(const std::vector<double>& a,
                                 const std::vector<double>& b,
                                 stats::Pairing pairing);

// What CompareFigures takes its ratio of; the plain mean where it has none. One
// figure stays what it is, to the last bit.
std::optional<double> Centre(const std::vector<double>& values,
                             const stats::Comparison& comparison);

// Of each Run that has samples the mean (p = 0) or a quantile of wall times.
std::vector<double> FigurePerRun(const SamplePool& pool, double p);

struct SpanFigure {
  ComparedFigures ns;
  stats::Comparison ratio;  // B over A
};

// The mean (p = 0) or a quantile of the wall times: over whole Runs where both
// sides have enough of them, else within the spans of all.
SpanFigure CompareSpanFigure(const SamplePool& a, const SamplePool& b,
                             stats::Pairing pairing, double p);

// The pool of the same name and kind; null if there is none.
const SamplePool* FindPool(const std::vector<SamplePool>& pools,
                           const SamplePool& like);

}  // namespace edgewise

#endif  // EDGEWISE_STORE_COMPARE_SPANS_H_
