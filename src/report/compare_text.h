// Two Runs, or two sides of an interleaved comparison, for people.
#ifndef EDGEWISE_REPORT_COMPARE_TEXT_H_
#define EDGEWISE_REPORT_COMPARE_TEXT_H_

#include <string>

#include "report/table.h"
#include "store/analysis.h"

namespace edgewise {

// One row per figure: A, B, the ratio with its 95% interval, a verdict in plain
// words. Figures that are unknown or 0 on both sides are left out.
Table CompareTable(const RunComparison& comparison);

std::string CompareText(const RunComparison& comparison,
                        const TextStyle& style);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_COMPARE_TEXT_H_
