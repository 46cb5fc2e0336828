// The wall times of a Run's items within a window of time.
#ifndef EDGEWISE_EXPERIMENTS_ITEM_TIMES_H_
#define EDGEWISE_EXPERIMENTS_ITEM_TIMES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/run.h"
#include "store/store.h"

namespace edgewise {

// CLOCK_MONOTONIC.
struct MonotonicWindow {
  int64_t begin_ns = 0;
  int64_t end_ns = 0;
};

// From the Run's start, without its warm-up, to its end.
MonotonicWindow WindowOf(const Run& run);

// The name of the span with the largest total wall time, stages within items
// being shorter than these; empty if the Run has no spans.
Result<std::string> LongestSpan(const Store& store, const Run& run);

// Items that lie within the window entirely. Without a `span`: the wall time
// of the whole program, if it ended by itself.
Result<std::vector<double>> ItemTimes(const Store& store, const Run& run,
                                      const std::string& span,
                                      const MonotonicWindow& window);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_ITEM_TIMES_H_
