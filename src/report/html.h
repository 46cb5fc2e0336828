// Reports as one HTML file each, which opens without a network or a server.
#ifndef EDGEWISE_REPORT_HTML_H_
#define EDGEWISE_REPORT_HTML_H_

#include <string>

#include "base/result.h"
#include "store/analysis.h"
#include "store/run.h"
#include "store/store.h"

namespace edgewise {

// `show --html`: one Run.
Result<std::string> RunHtml(const Store& store, const Run& run);

// `compare --html`: B against A, each standing for its group as in CompareRuns.
// `comparison` is set to what the page shows.
Result<std::string> CompareHtml(const Store& store, const Run& a, const Run& b,
                                RunComparison* comparison);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_HTML_H_
