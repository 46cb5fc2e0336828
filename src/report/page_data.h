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

// `analysis` of kChartDetail; `stacks` may be null: the Run has none.
std::string RunPageData(const Run& run, const RunAnalysis& analysis,
                        const stacks::StackProfile* stacks);

// `comparison` of kChartDetail.
std::string ComparePageData(const RunComparison& comparison);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_PAGE_DATA_H_
