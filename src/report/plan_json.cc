#include "base/text.h"
#include "base/units.h"
#include "report/json_writer.h"
#include "report/plan_text.h"

namespace edgewise {
namespace {

std::string IntJson(const std::optional<int64_t>& value) {
  return value ? std::to_string(*value) : "null";
}

std::string FlagJson(bool flag) { return flag ? "true" : "false"; }

std::string CoresJson(const std::vector<int>& cores) {
  JsonArray array;
  for (const int core : cores) {
    array.AddInt(core);
  }
  return array.text();
}

std::string TaskJson(const PlannedTask& task) {
  const std::string first =
      task.cores.empty() ? "null" : std::to_string(task.cores.front());
  return JsonObject()
      .AddString("name", task.name)
      .Add("core", first)
      .Add("cores", CoresJson(task.cores))
      .AddString("policy", ExecutorName(task.executor))
      .Add("priority",
           task.priority ? std::to_string(*task.priority) : std::string("null"))
      .Add("runtime_ns", IntJson(task.runtime_ns))
      .AddNumber("quota_cores", task.quota_cores)
      .AddStrings("command", task.command)
      .Add("process_per_job", FlagJson(task.process_per_job))
      .AddString("on_miss", MissPolicyName(task.on_miss))
      .AddInt("wcet_ns", task.wcet_ns)
      .AddString("wcet_source", task.wcet_source)
      .AddString("card", task.card)
      .AddInt("period_ns", task.period_ns)
      .AddInt("deadline_ns", task.deadline_ns)
      .AddInt("jitter_ns", task.jitter_ns)
      .Add("memory_bytes", IntJson(task.memory_bytes))
      .Add("response_bound_ns", IntJson(task.response_bound_ns))
      .Add("slack_ns", IntJson(task.slack_ns))
      .Add("wcet_slack_ns", IntJson(task.wcet_slack_ns))
      .text();
}

std::string CoreJson(const PlannedCore& core) {
  return JsonObject()
      .Add("cores", CoresJson(core.cores))
      .AddNumber("utilisation", core.utilisation)
      .AddString("test", core.proof.test)
      .Add("schedulable", FlagJson(core.proof.schedulable))
      .AddString("verdict", core.proof.verdict)
      .Add("witness_ns", IntJson(core.proof.witness_ns))
      .AddString("witness", core.proof.witness)
      .AddNumber("growth", core.proof.growth)
      .AddStrings("assumptions", core.proof.assumptions)
      .text();
}

std::string RemedyJson(const scheduling::Remedy& remedy) {
  static constexpr std::string_view kKinds[] = {
      "alternative", "longer_period", "shorter_wcet", "more_cores", "executor"};
  JsonArray tasks;
  for (const scheduling::TaskWish& wish : remedy.request.tasks) {
    tasks.Add(JsonObject()
                  .AddString("name", wish.task.name)
                  .AddInt("wcet_ns", wish.task.wcet_ns)
                  .AddInt("period_ns", wish.task.period_ns)
                  .AddInt("deadline_ns", wish.task.deadline_ns)
                  .text());
  }
  return JsonObject()
      .AddString("kind", kKinds[static_cast<size_t>(remedy.kind)])
      .AddString("change", remedy.change)
      .Add("cores", CoresJson(remedy.request.cores))
      .AddString("executor", ExecutorName(remedy.request.rules.executor))
      .Add("tasks", tasks.text())
      .text();
}

std::string HistoryJson(const scheduling::PlanHistory& history) {
  JsonArray slices;
  for (const scheduling::Slice& slice : history.slices) {
    slices.Add(JsonObject()
                   .AddInt("task", static_cast<int64_t>(slice.task))
                   .AddInt("job", slice.job)
                   .AddInt("core", slice.core)
                   .AddInt("start_ns", slice.start_ns)
                   .AddInt("end_ns", slice.end_ns)
                   .text());
  }
  return JsonObject()
      .AddInt("until_ns", history.until_ns)
      .Add("whole_hyperperiod", FlagJson(history.whole))
      .AddInt("missed", history.missed)
      .Add("slices", slices.text())
      .text();
}

}  // namespace

std::string PlanJson(const PlanReport& report) {
  const Plan& plan = report.answer.plan;
  JsonArray tasks;
  for (const PlannedTask& task : plan.tasks) {
    tasks.Add(TaskJson(task));
  }
  JsonArray proofs;
  for (const PlannedCore& core : plan.cores) {
    proofs.Add(CoreJson(core));
  }
  JsonArray remedies;
  for (const scheduling::Remedy& remedy : report.remedies) {
    remedies.Add(RemedyJson(remedy));
  }
  return JsonObject()
             .Add("found", FlagJson(report.answer.found))
             .Add("certain", FlagJson(report.answer.certain))
             .AddString("statement", report.answer.statement)
             .AddString("executor", ExecutorName(report.request.rules.executor))
             .AddNumber("reserve", plan.reserve)
             .AddString("machine", plan.machine)
             .AddString("machine_name", plan.machine_name)
             .AddString("created", plan.created)
             .Add("tasks", tasks.text())
             .Add("proofs", proofs.text())
             .Add("remedies", remedies.text())
             .AddStrings("explanation", report.explanation)
             .AddStrings("notes", plan.notes)
             .Add("history",
                  report.history ? HistoryJson(*report.history) : "null")
             .text() +
         "\n";
}

}  // namespace edgewise
