// A plan, or why there is none: for the terminal, as JSON, as a page.
#ifndef EDGEWISE_REPORT_PLAN_TEXT_H_
#define EDGEWISE_REPORT_PLAN_TEXT_H_

#include <optional>
#include <string>
#include <vector>

#include "report/experiment_page.h"
#include "report/table.h"
#include "scheduling/make_plan.h"
#include "scheduling/plan_history.h"
#include "scheduling/remedies.h"

namespace edgewise {

struct PlanReport {
  scheduling::PlanRequest request;
  scheduling::PlanAnswer answer;
  std::vector<scheduling::Remedy> remedies;  // where there is no plan
  std::vector<std::string> explanation;  // whole sentences; empty: not asked
  std::optional<scheduling::PlanHistory> history;
};

// The first sentence anyone should read: whether there is a plan.
std::string PlanHeadline(const PlanReport& report);

std::string PlanText(const PlanReport& report, const TextStyle& style);
std::string PlanJson(const PlanReport& report);
// Tasks, picture, proofs, what they assume, reasons, notes.
std::vector<PageSection> PlanSections(const PlanReport& report);
std::string PlanHtml(const PlanReport& report);

// Tasks and cores as tables, for all of them.
Table PlanTaskTable(const Plan& plan);
Table PlanCoreTable(const Plan& plan);
// "core 0: Within some 12 ms, ...", of each proof that fails.
std::vector<std::string> PlanWitnesses(const Plan& plan);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_PLAN_TEXT_H_
