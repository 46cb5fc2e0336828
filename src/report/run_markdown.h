// A Run as Markdown, to paste into an issue or a lab report.
#ifndef EDGEWISE_REPORT_RUN_MARKDOWN_H_
#define EDGEWISE_REPORT_RUN_MARKDOWN_H_

#include <string>

#include "store/analysis.h"
#include "store/run.h"

namespace edgewise {

// The same figures as RunText, all spans and threads included.
std::string RunMarkdown(const Run& run, const RunAnalysis& analysis);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_RUN_MARKDOWN_H_
