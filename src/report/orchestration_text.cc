#include "report/orchestration_text.h"

#include <fmt/format.h>

#include <cmath>

#include "base/units.h"
#include "orchestration/explain.h"
#include "report/experiment_page.h"
#include "report/figures.h"
#include "report/paragraphs.h"
#include "report/verification_text.h"

namespace edgewise {
namespace {

using namespace orchestration;  // NOLINT(google-build-using-namespace)

constexpr size_t kMostRows = 40;
constexpr size_t kMostRefusals = 10;
constexpr size_t kMostExplained = 1000;

Table ServerTable(const OrchestrationReport& report) {
  Table table;
  table.columns = {{"server", false, true}, {"rank"},     {"requests"},
                   {"memory used"},         {"pressure"}, {"earns"}};
  const Instance& instance = report.problem.instance();
  for (size_t s = 0; s < std::min(report.servers.size(), kMostRows); ++s) {
    const ServerLoad& load = report.servers[s];
    int64_t pay = 0;
    for (const size_t item : load.items()) {
      pay += report.problem.items()[item].pay_micros;
    }
    table.rows.push_back(
        {{instance.servers[s].name},
         {std::to_string(instance.servers[s].rank)},
         {std::to_string(load.items().size())},
         {fmt::format(
             "{:.0f}%",
             100 * static_cast<double>(load.memory_bytes()) /
                 static_cast<double>(instance.servers[s].memory_bytes))},
         {fmt::format("{:.0f}%", 100 * load.Strain())},
         {RoundMoney(pay)}});
  }
  return table;
}

Table BaselineTable(const OrchestrationReport& report) {
  Table table;
  table.columns = {{"placed by", false}, {"revenue"}, {"edgewise earns"}};
  for (const auto& [name, revenue] : report.baselines) {
    table.rows.push_back(
        {{name},
         {RoundMoney(revenue)},
         {revenue > 0 ? fmt::format("{:+.1f}%",
                                    100 * (static_cast<double>(
                                               report.answer.revenue_micros) /
                                               static_cast<double>(revenue) -
                                           1))
                      : "--"}});
  }
  return table;
}

std::string Outcome(const OrchestrationReport& report) {
  const OptimiseAnswer& answer = report.answer;
  const size_t asked = answer.assignment.size();
  std::string text = fmt::format(
      "{} of {} placed on {}: {} of revenue. ",
      FormatCount(static_cast<int64_t>(asked - report.refused.size())),
      FormatCount(static_cast<int64_t>(asked), "request"),
      FormatCount(static_cast<int64_t>(report.servers.size()), "server"),
      RoundMoney(answer.revenue_micros));
  if (!answer.no_solver.empty()) {
    return text +
           "How much more is possible is not known: " + answer.no_solver + ".";
  }
  text += fmt::format(
      "No placement can earn more than {}; at most {:.2f}% is missing.",
      RoundMoney(answer.bound_micros), 100 * answer.Gap());
  if (answer.moves > 0) {
    text += fmt::format(" {} at a cost of {}.",
                        FormatCount(answer.moves, "request") + " moved",
                        RoundMoney(answer.moves_micros));
  }
  return text;
}

std::string GoalFigure(Goal goal, double cost) {
  switch (goal) {
    case Goal::kServers:
      return FormatCount(std::llround(cost), "server");
    case Goal::kTail:
      return fmt::format("{:.1f}%", 100 * cost);
    case Goal::kEnergy:
      return fmt::format("{:.1f} W", cost);
    case Goal::kRevenue:
      break;
  }
  return "";
}

// What was reached beyond revenue; empty where nothing else was asked for.
std::string GoalText(const OrchestrationReport& report) {
  if (report.reached == nullptr) {
    return "";
  }
  const GoalAnswer& reached = *report.reached;
  const std::string now = GoalFigure(report.goal, reached.cost);
  std::string text;
  switch (report.goal) {
    case Goal::kServers:
      text = "They stand on " + now;
      break;
    case Goal::kTail:
      text = "No promise may use up more than " + now + " of its delay";
      break;
    default:
      text = "The servers take " + now;
  }
  text += fmt::format(", after {} at first",
                      GoalFigure(report.goal, reached.before));
  const char* const among = report.goal == Goal::kTail
                                ? "no placement that earns as much"
                                : "no placement of the same requests";
  return text +
         (reached.bound
              ? fmt::format("; {} needs less than {}: at most {:.1f}% is "
                            "needless.",
                            among, GoalFigure(report.goal, *reached.bound),
                            100 * reached.Gap().value_or(0))
              : "; how much less is possible could not be proven.");
}

std::string Promise(const OrchestrationReport& report) {
  return fmt::format(
      "Every promise holds with {:g}% confidence by the pressure model "
      "({}). Found in {:.1f} s, the first placement after {:.2f} s.",
      100 * report.problem.confidence(), report.basis, report.answer.seconds,
      report.answer.first_seconds);
}

std::string RefusedText(const OrchestrationReport& report,
                        const TextStyle& style) {
  std::string text;
  for (size_t k = 0; k < std::min(report.refused.size(), kMostRefusals); ++k) {
    const auto& [item, why] = report.refused[k];
    text += WrappedText(report.problem.instance().requests[item].name + ": ",
                        why + ".", style);
  }
  if (report.refused.size() > kMostRefusals) {
    text += fmt::format("… and {} more: --json names all\n",
                        report.refused.size() - kMostRefusals);
  }
  return text;
}

}  // namespace

std::string RoundMoney(int64_t micros) {
  return fmt::format("{}.{:02}", FormatCount(micros / kMicrosPerUnit),
                     micros % kMicrosPerUnit / (kMicrosPerUnit / 100));
}

OrchestrationReport MakeOrchestrationReport(const Problem& problem,
                                            const OptimiseAnswer& answer,
                                            std::string basis) {
  OrchestrationReport report{
      problem, answer, std::move(basis), ServersOf(problem, answer.assignment),
      {},      {},     Goal::kRevenue,   nullptr,
      nullptr};
  for (size_t i = 0; i < answer.assignment.size(); ++i) {
    if (!answer.assignment[i]) {
      report.refused.emplace_back(i,
                                  report.refused.size() < kMostExplained
                                      ? WhyRefused(problem, report.servers, i)
                                      : "as those before it");
    }
  }
  return report;
}

std::string OrchestrationText(const OrchestrationReport& report,
                              const TextStyle& style) {
  std::string text = WrappedText("", Outcome(report), style);
  if (const std::string goal = GoalText(report); !goal.empty()) {
    text += WrappedText("", goal, style);
  }
  text += WrappedText("", Promise(report), style);
  AppendBlock(&text, TextTable(ServerTable(report), style));
  if (report.servers.size() > kMostRows) {
    text += fmt::format("… and {} more servers: --json names all\n",
                        report.servers.size() - kMostRows);
  }
  if (!report.baselines.empty()) {
    AppendBlock(&text, TextTable(BaselineTable(report), style));
  }
  if (!report.refused.empty()) {
    AppendBlock(&text, Tint("refused", Tone::kStrong, style) + "\n" +
                           RefusedText(report, style));
  }
  return text;
}

std::string OrchestrationHtml(const OrchestrationReport& report) {
  ExperimentPage page;
  page.title = "Where requests stand";
  page.advice = {Outcome(report), Promise(report)};
  if (std::string goal = GoalText(report); !goal.empty()) {
    page.advice.insert(page.advice.begin() + 1, std::move(goal));
  }
  page.sections.push_back({"Servers",
                           "Pressure is what the request that bears least "
                           "feels, as a part of what it bears.",
                           {ServerTable(report)},
                           {OrchestrationSvg(report)},
                           ""});
  if (report.verification != nullptr) {
    page.sections.push_back({"Promised and seen",
                             VerificationSummary(*report.verification),
                             VerificationTables(*report.verification),
                             {},
                             ""});
  }
  if (!report.baselines.empty()) {
    page.sections.push_back(
        {"Placed by others", "", {BaselineTable(report)}, {}, ""});
  }
  if (!report.refused.empty()) {
    Table table;
    table.columns = {{"request", false}, {"why", false}};
    for (const auto& [item, why] : report.refused) {
      table.rows.push_back(
          {{report.problem.instance().requests[item].name}, {why}});
    }
    page.sections.push_back({"Refused", "", {std::move(table)}, {}, ""});
  }
  return ExperimentHtml(page);
}

}  // namespace edgewise
