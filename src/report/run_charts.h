// The charts of a Run, each as an SVG file.
#ifndef EDGEWISE_REPORT_RUN_CHARTS_H_
#define EDGEWISE_REPORT_RUN_CHARTS_H_

#include <functional>
#include <string>
#include <vector>

#include "stacks/profile.h"
#include "store/analysis.h"
#include "store/run.h"

namespace edgewise {

struct RunChart {
  // Unique in its Run and fit for a file name: "flame", "histogram-frame",
  // "cdf-frame", "time-frame", "series-cpu_percent".
  std::string name;
  std::function<std::string()> draw;
};

// What this Run has data for. `analysis` of kChartDetail; `stacks` may be null.
// All of them must outlive the charts.
std::vector<RunChart> ChartsOf(const Run& run, const RunAnalysis& analysis,
                               const stacks::StackProfile* stacks);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_RUN_CHARTS_H_
