// A Run for people at a terminal.
#ifndef EDGEWISE_REPORT_RUN_TEXT_H_
#define EDGEWISE_REPORT_RUN_TEXT_H_

#include <string>

#include "report/table.h"
#include "store/analysis.h"
#include "store/run.h"

namespace edgewise {

// The summary after `run` and of `show`: what was run and how it ended, the
// figures of the whole Run, threads, spans with intervals, what could not be
// measured and what to mistrust, what to do next. An ordinary Run fits one
// screen.
std::string RunText(const Run& run, const RunAnalysis& analysis,
                    const TextStyle& style);

// The tables of spans alone, as they stand in RunText.
std::string SpansText(const std::vector<SpanAnalysis>& spans,
                      const TextStyle& style);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_RUN_TEXT_H_
