// A curve as charts and as a page.
#ifndef EDGEWISE_REPORT_CURVE_PAGE_H_
#define EDGEWISE_REPORT_CURVE_PAGE_H_

#include <string>
#include <vector>

#include "experiments/curve.h"
#include "report/experiment_page.h"

namespace edgewise {

struct CurveDrawing {
  std::string name;  // for a file: "throughput", "p99"
  std::string svg;
};

// One chart a figure, over the knob that scales best; the other knobs make its
// lines. Throughput has its fitted law dashed.
std::vector<CurveDrawing> CurveCharts(const Curve& curve);

// Curves, figures, what more buys, fitted laws, notes.
std::vector<PageSection> CurveSections(const Curve& curve);

// One HTML file with all of it.
std::string CurveHtml(const Curve& curve);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_CURVE_PAGE_H_
