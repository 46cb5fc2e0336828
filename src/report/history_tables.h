// The tables of an app's history, for text and for pages.
#ifndef EDGEWISE_REPORT_HISTORY_TABLES_H_
#define EDGEWISE_REPORT_HISTORY_TABLES_H_

#include <string>
#include <vector>

#include "history/history.h"
#include "report/table.h"

namespace edgewise {

// "day on pi5, 4 × Cortex-A76, Linux 6.1".
std::string LineTitle(const HistoryLine& line);
// "1.2", or "--" where it is not known.
std::string VersionText(const std::string& version);

// A row a version: Runs, CPU, memory and the rest that is known.
Table FootprintTable(const HistoryLine& line);
// A row a version and span: percentiles with intervals.
Table TailTable(const HistoryLine& line);
// Figures of a version against the version before: all that are shown to be
// worse, or to be better.
Table ChangeTable(const HistoryLine& line, bool worse);
// Lower, target and upper of each resource, as Kubernetes writes them.
Table ResourceTable(const ResourceAdvice& advice);
// Of one version and its figures; what the tables of `line` cannot say.
std::string ComparedText(const HistoryLine& line);

int64_t CountRegressions(const History& history);
// "34 Runs of 3 versions, 2026-10-02 to 2026-11-15".
std::string HistorySummary(const History& history);
// "231 MiB (1.1, night, on pi5, Run 0123456789ab)".
std::string WorstMemoryText(const WorstMemory& worst);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_HISTORY_TABLES_H_
