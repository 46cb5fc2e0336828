// Where many requests stand on many servers, as text, JSON, SVG and HTML.
#ifndef EDGEWISE_REPORT_ORCHESTRATION_TEXT_H_
#define EDGEWISE_REPORT_ORCHESTRATION_TEXT_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "orchestration/goal.h"
#include "orchestration/optimise.h"
#include "report/table.h"

namespace edgewise {

struct Verification;

// Refers to what it was made of, which must outlive it.
struct OrchestrationReport {
  const orchestration::Problem& problem;
  const orchestration::OptimiseAnswer& answer;
  std::string basis;  // where the pressures come from
  std::vector<orchestration::ServerLoad> servers;
  std::vector<std::pair<size_t, std::string>> refused;  // request, why
  // Name and revenue in micros; empty: not asked for.
  std::vector<std::pair<std::string, int64_t>> baselines;
  orchestration::Goal goal = orchestration::Goal::kRevenue;
  // For goals other than revenue; may be null.
  const orchestration::GoalAnswer* reached = nullptr;
  // What became of its promises; null: not tried.
  const Verification* verification = nullptr;
};

OrchestrationReport MakeOrchestrationReport(
    const orchestration::Problem& problem,
    const orchestration::OptimiseAnswer& answer, std::string basis);

std::string OrchestrationText(const OrchestrationReport& report,
                              const TextStyle& style);
std::string OrchestrationJson(const OrchestrationReport& report);
std::string OrchestrationHtml(const OrchestrationReport& report);
// A row a server: what its requests take of the tolerance of the one that bears
// least, each in the colour of its app.
std::string OrchestrationSvg(const OrchestrationReport& report);

// "12.34", rounded down.
std::string RoundMoney(int64_t micros);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_ORCHESTRATION_TEXT_H_
