#include "orchestration/instance_files.h"
#include "report/json_writer.h"
#include "report/orchestration_text.h"
#include "report/verification_text.h"

namespace edgewise {

using namespace orchestration;  // NOLINT(google-build-using-namespace)

std::string OrchestrationJson(const OrchestrationReport& report) {
  const Instance& instance = report.problem.instance();
  const OptimiseAnswer& answer = report.answer;
  JsonArray servers;
  for (size_t s = 0; s < report.servers.size(); ++s) {
    std::vector<std::string> names;
    for (const size_t item : report.servers[s].items()) {
      names.push_back(instance.requests[item].name);
    }
    servers.Add(JsonObject()
                    .AddString("name", instance.servers[s].name)
                    .AddInt("rank", instance.servers[s].rank)
                    .AddInt("memory_bytes", instance.servers[s].memory_bytes)
                    .AddInt("used_bytes", report.servers[s].memory_bytes())
                    .AddNumber("strain", report.servers[s].Strain())
                    .AddStrings("requests", names)
                    .text());
  }
  JsonArray refused;
  for (const auto& [item, why] : report.refused) {
    refused.Add(JsonObject()
                    .AddString("request", instance.requests[item].name)
                    .AddString("why", why)
                    .text());
  }
  JsonObject baselines;
  for (const auto& [name, revenue] : report.baselines) {
    baselines.Add(name, MoneyText(revenue));
  }
  const bool proven = answer.no_solver.empty();
  const GoalAnswer* const reached = report.reached;
  JsonObject goal;
  goal.AddString("name", GoalName(report.goal))
      .AddNumber("cost", reached != nullptr ? std::optional(reached->cost)
                                            : std::nullopt)
      .AddNumber("at_first", reached != nullptr ? std::optional(reached->before)
                                                : std::nullopt)
      .AddNumber("bound", reached != nullptr ? reached->bound : std::nullopt)
      .AddNumber("gap", reached != nullptr ? reached->Gap() : std::nullopt);
  return JsonObject()
             .Add("goal", goal.text())
             .Add("revenue", MoneyText(answer.revenue_micros))
             .Add("bound", proven ? MoneyText(answer.bound_micros) : "null")
             .AddNumber("gap",
                        proven ? std::optional(answer.Gap()) : std::nullopt)
             .AddNumber("confidence", report.problem.confidence())
             .AddString("pressures", report.basis)
             .AddNumber("seconds", answer.seconds)
             .AddNumber("first_seconds", answer.first_seconds)
             .AddInt("moves", answer.moves)
             .Add("move_cost", MoneyText(answer.moves_micros))
             .Add("servers", servers.text())
             .Add("refused", refused.text())
             .Add("baselines", baselines.text())
             .Add("verification", report.verification != nullptr
                                      ? VerificationJson(*report.verification)
                                      : "null")
             .text() +
         "\n";
}

}  // namespace edgewise
