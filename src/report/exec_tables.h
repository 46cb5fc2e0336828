// The tables and the picture of executed plans.
#ifndef EDGEWISE_REPORT_EXEC_TABLES_H_
#define EDGEWISE_REPORT_EXEC_TABLES_H_

#include <span>
#include <string>

#include "execution/execution.h"
#include "report/table.h"

namespace edgewise {

// "lab" or "plan": the way an execution went.
std::string WayName(const Execution& execution);

// Jobs, misses, tardiness, use and theft; a row for each task and way.
Table DeadlineTable(std::span<const Execution> executions);
// Response times in ms with intervals, against bound and deadline.
Table ResponseTable(std::span<const Execution> executions);
// The sentence that explains "needs"; empty if no interval is missing.
std::string IntervalNote(std::span<const Execution> executions);
// Release to start of jobs, and the CPU time that they used against C.
Table JobCostTable(std::span<const Execution> executions);
// Response p99 and maximum of each task against its bound and deadline, as
// SVG.
std::string ExecChart(std::span<const Execution> executions);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_EXEC_TABLES_H_
