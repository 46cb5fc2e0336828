#include "base/units.h"
#include "execution/verdict.h"
#include "report/estimate_json.h"
#include "report/exec_tables.h"
#include "report/exec_text.h"
#include "report/json_writer.h"

namespace edgewise {
namespace {

std::string SummaryJson(const stats::SpanSummary& summary) {
  return JsonObject()
      .AddInt("count", summary.count)
      .AddNumber("mean", summary.mean)
      .Add("p50", EstimateJson(summary.p50))
      .Add("p95", EstimateJson(summary.p95))
      .Add("p99", EstimateJson(summary.p99))
      .AddNumber("min", summary.min)
      .AddNumber("max", summary.max)
      .text();
}

std::string IntJson(const std::optional<int64_t>& value) {
  return value ? std::to_string(*value) : "null";
}

std::string ViolationJson(const Execution& execution,
                          const BoundViolation& violation) {
  const JobExplanation& why = violation.why;
  JsonObject object;
  object.AddInt("job", violation.job.number)
      .AddInt("response_ns", violation.job.response_ns())
      .AddString("broken", BrokenAssumptionName(why.broken))
      .AddInt("overrun_ns", why.overrun_ns)
      .AddInt("late_ns", why.late_ns)
      .AddInt("stolen_ns", why.stolen_ns)
      .AddInt("other_ns", why.other_ns);
  if (why.overrun_task >= 0) {
    object.AddString(
        "overrun_task",
        execution.tasks[static_cast<size_t>(why.overrun_task)].task.name);
  }
  return object.text();
}

std::string TaskJson(const Execution& execution, const TaskExecution& task) {
  JsonArray violations;
  for (const BoundViolation& violation : task.worst) {
    violations.Add(ViolationJson(execution, violation));
  }
  const auto& interval = task.miss_interval;
  const auto share = task.released() > 0
                         ? std::optional(static_cast<double>(task.misses()) /
                                         static_cast<double>(task.released()))
                         : std::nullopt;
  return JsonObject()
      .AddString("name", task.task.name)
      .AddString("executor", ExecutorName(task.task.executor))
      .AddString("cores", FormatCpuList(task.task.cores))
      .AddString("run", task.run_id)
      .AddInt("wcet_ns", task.task.wcet_ns)
      .AddInt("period_ns", task.task.period_ns)
      .AddInt("deadline_ns", task.task.deadline_ns)
      .Add("response_bound_ns", IntJson(task.task.response_bound_ns))
      .AddInt("jobs", task.released())
      .AddInt("ended", task.jobs)
      .AddInt("misses", task.misses())
      .AddInt("late", task.late)
      .AddInt("skipped", task.skipped)
      .AddInt("unstarted", task.unstarted)
      .AddInt("late_by_theft", task.late_by_theft)
      .AddNumber("miss_ratio", share)
      .AddNumber("miss_ratio_low",
                 interval ? std::optional(interval->low) : std::nullopt)
      .AddNumber("miss_ratio_high",
                 interval ? std::optional(interval->high) : std::nullopt)
      .Add("response_ns", SummaryJson(task.response_ns))
      .Add("start_delay_ns", SummaryJson(task.start_delay_ns))
      .Add("cpu_ns", SummaryJson(task.cpu_ns))
      .Add("tardiness_max_ns", IntJson(task.tardiness_ns))
      .AddNumber("tardiness_mean_ns", task.mean_tardiness_ns)
      .AddNumber("utilisation", task.utilisation)
      .AddInt("overruns", task.overruns)
      .Add("stolen_ns", IntJson(task.stolen_ns))
      .AddInt("violations", task.violations)
      .Add("worst", violations.text())
      .text();
}

std::string ExecutionJson(const Execution& execution) {
  JsonArray tasks;
  for (const TaskExecution& task : execution.tasks) {
    tasks.Add(TaskJson(execution, task));
  }
  return JsonObject()
      .AddString("way", WayName(execution))
      .AddString("run", execution.run_id)
      .AddNumber("elapsed_s", static_cast<double>(execution.elapsed_ns) / 1e9)
      .Add("realtime", execution.realtime ? "true" : "false")
      .Add("cancelled", execution.cancelled ? "true" : "false")
      .AddNumber("dispatcher_percent", execution.dispatcher_percent)
      .Add("tasks", tasks.text())
      .AddStrings("broken_assumptions", execution.broken_assumptions)
      .AddStrings("warnings", execution.warnings)
      .text();
}

}  // namespace

std::string ExecJson(std::span<const Execution> executions,
                     const std::string& plan_name) {
  JsonArray list;
  for (const Execution& execution : executions) {
    list.Add(ExecutionJson(execution));
  }
  const ExecutionVerdict verdict = JudgeAll(executions);
  return JsonObject()
             .AddString("plan", plan_name)
             .AddString("group",
                        executions.empty() ? "" : executions.back().group)
             .Add("executions", list.text())
             .Add("falsified", verdict.falsified ? "true" : "false")
             .Add("held", verdict.held ? "true" : "false")
             .AddStrings("verdict", verdict.sentences)
             .text() +
         "\n";
}

}  // namespace edgewise
