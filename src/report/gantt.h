// What a plan does from a common start on, as a picture: one row a task.
#ifndef EDGEWISE_REPORT_GANTT_H_
#define EDGEWISE_REPORT_GANTT_H_

#include <string>

#include "report/table.h"
#include "scheduling/plan.h"
#include "scheduling/plan_history.h"

namespace edgewise {

// Lines as wide as the style; a column is filled by how long the task runs in
// its time. Empty without tasks.
std::string GanttText(const Plan& plan, const scheduling::PlanHistory& history,
                      const TextStyle& style);

// Jobs as bars with their times as tooltips, releases as ticks.
std::string GanttSvg(const Plan& plan, const scheduling::PlanHistory& history);

// "The first hyperperiod, 100 ms", "The first 2 s of a longer hyperperiod".
std::string GanttTitle(const scheduling::PlanHistory& history);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_GANTT_H_
