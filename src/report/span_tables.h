// The tables of a Run's spans: figures, percentiles, deadlines.
#ifndef EDGEWISE_REPORT_SPAN_TABLES_H_
#define EDGEWISE_REPORT_SPAN_TABLES_H_

#include <string>
#include <vector>

#include "report/pictures.h"
#include "report/table.h"
#include "store/analysis.h"

namespace edgewise {

// Count, mean, spread, extremes and rate; all times of a row in one unit.
Table SpanFigureTable(const std::vector<SpanAnalysis>& spans);

// Percentiles with their 95% intervals in one cell, "24.0 [23.8–24.2]", or
// "58.2 [needs 3,688]" where the samples are insufficient.
Table PercentileTable(const std::vector<SpanAnalysis>& spans);
// The same for narrow terminals: intervals stand on a line of their own.
Table NarrowPercentileTable(const std::vector<SpanAnalysis>& spans);
// The sentence that explains "needs"; empty if no interval is missing.
std::string PercentileNote(const std::vector<SpanAnalysis>& spans);

// Response times and missed deadlines of periodic activities; without rows if
// there are none.
Table JobTable(const std::vector<SpanAnalysis>& spans);

// The span that took most time in all: where it is nested, the outermost one.
// nullptr if no span has a figure.
const SpanAnalysis* MainSpan(const std::vector<SpanAnalysis>& spans);

// The span's histogram in at most `most` bars.
std::vector<Bar> SpanBars(const SpanAnalysis& span, size_t most);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_SPAN_TABLES_H_
