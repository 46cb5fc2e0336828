// The documents that the report page shows: JSON with everything worked out.
//
// The page draws and words nothing of its own: figures come from the analysis,
// sentences from the same places as those of the terminal. docs/formats/page.md
// describes them. Documents are bounded, whatever the Run.
#ifndef EDGEWISE_REPORT_PAGE_DATA_H_
#define EDGEWISE_REPORT_PAGE_DATA_H_

#include <string>

#include "stacks/profile.h"
#include "store/analysis.h"
#include "store/run.h"

namespace edgewise {

// Span names with charts; those of the others would make the page too large.
inline constexpr size_t kMaxChartedSpans = 60;
// Functions in a table, those with the most samples or the largest change.
inline constexpr size_t kMaxListedFunctions = 1000;

// `analysis` of kChartDetail; `stacks` may be null: the Run has none.
std::string RunPageData(const Run& run, const RunAnalysis& analysis,
                        const stacks::StackProfile* stacks);

// `comparison` of kChartDetail; `a` and `b` are the stacks of each side's Runs,
// null where a side has none.
std::string ComparePageData(const RunComparison& comparison,
                            const stacks::StackProfile* a,
                            const stacks::StackProfile* b);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_PAGE_DATA_H_
