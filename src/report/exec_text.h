// Executed plans for people and for programs.
#ifndef EDGEWISE_REPORT_EXEC_TEXT_H_
#define EDGEWISE_REPORT_EXEC_TEXT_H_

#include <span>
#include <string>
#include <vector>

#include "execution/execution.h"
#include "report/experiment_page.h"
#include "report/table.h"

namespace edgewise {

// One execution, or a naive and a planned one of the same plan.
std::string ExecText(std::span<const Execution> executions,
                     const std::string& plan_name, const TextStyle& style);
std::string ExecJson(std::span<const Execution> executions,
                     const std::string& plan_name);
// Deadlines, response times, jobs, warnings; the verdict is not among them.
std::vector<PageSection> ExecSections(std::span<const Execution> executions);
std::string ExecHtml(std::span<const Execution> executions,
                     const std::string& plan_name);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_EXEC_TEXT_H_
