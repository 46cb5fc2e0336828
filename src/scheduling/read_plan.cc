#include <fmt/format.h>

#include <cmath>
#include <set>

#include "base/yaml_reader.h"
#include "scheduling/plan_file.h"

namespace edgewise {
namespace {

constexpr double kBytesPerMb = 1024.0 * 1024;

// Reads one plan; the first problem is kept, and what follows is ignored.
class PlanReader : private YamlReader {
 public:
  explicit PlanReader(std::string_view origin) : YamlReader(origin) {}

  Result<Plan> Read(const YamlNode& root) {
    Plan plan;
    ReadMap(root, "a plan",
            {{"created", Text(plan.created)},
             {"machine", Text(plan.machine)},
             {"machine_name", Text(plan.machine_name)},
             {"reserve", Number(plan.reserve, 0, 1)},
             {"latency_ms", Ms(plan.latency_ns, 0)},
             {"overhead_ms", Ms(plan.overhead_ns, 0)},
             {"notes", Texts(plan.notes)},
             {"tasks", Each([&](const YamlNode& at) {
                plan.tasks.push_back(ReadTask(at));
              })},
             {"proofs", Each([&](const YamlNode& at) {
                plan.cores.push_back(ReadCore(at));
              })}});
    if (plan.tasks.empty()) {
      Refuse(root, "the plan has no `tasks`");
    }
    std::set<std::string> names;
    for (const PlannedTask& task : plan.tasks) {
      if (!names.insert(task.name).second) {
        Refuse(root, fmt::format("two tasks are called `{}`", task.name));
      }
    }
    if (problem()) {
      return *problem();
    }
    return plan;
  }

 private:
  Take Priority(std::optional<int>& field) {
    return WithNumber(
        1, 99, [&field](double number) { field = static_cast<int>(number); });
  }

  PlannedTask ReadTask(const YamlNode& at) {
    PlannedTask task;
    std::optional<double> memory_mb;
    ReadMap(
        at, "a task",
        {{"name", Text(task.name)},
         {"command", Command(task.command)},
         {"executor", Word(task.executor, &ParseExecutor,
                           "edf, edf-preemptive, fifo, rr, deadline or other")},
         {"cores", Cores(task.cores)},
         {"wcet_ms", Ms(task.wcet_ns)},
         {"period_ms", Ms(task.period_ns)},
         {"deadline_ms", Ms(task.deadline_ns)},
         {"jitter_ms", Ms(task.jitter_ns, 0)},
         {"priority", Priority(task.priority)},
         {"runtime_ms", Ms(task.runtime_ns)},
         {"quota_cores", Number(task.quota_cores, 0.001, 4096)},
         {"memory_mb", Number(memory_mb, 1e-6, 1e9)},
         {"on_miss",
          Word(task.on_miss, &ParseMissPolicy, "finish, skip or abort")},
         {"process_per_job", Flag(task.process_per_job)},
         {"wcet_source", Text(task.wcet_source)},
         {"card", Text(task.card)},
         {"response_bound_ms", Ms(task.response_bound_ns)},
         {"slack_ms", Ms(task.slack_ns, -kMostMs)},
         {"wcet_slack_ms", Ms(task.wcet_slack_ns, 0)}});
    if (memory_mb) {
      task.memory_bytes =
          static_cast<int64_t>(std::llround(*memory_mb * kBytesPerMb));
    }
    if (task.deadline_ns == 0) {
      task.deadline_ns = task.period_ns;
    }
    const auto need = [&](bool is_there, std::string_view key) {
      if (!is_there) {
        Refuse(at, fmt::format("the task needs `{}`", key));
      }
    };
    need(!task.name.empty(), "name");
    need(!task.cores.empty(), "cores");
    need(task.wcet_ns > 0, "wcet_ms");
    need(task.period_ns > 0, "period_ms");
    if (task.wcet_ns > task.deadline_ns) {
      Refuse(at, fmt::format("task {}: wcet_ms is above deadline_ms, so no "
                             "job could be in time",
                             task.name));
    }
    return task;
  }

  PlannedCore ReadCore(const YamlNode& at) {
    PlannedCore core;
    ReadMap(at, "a proof",
            {{"cores", Cores(core.cores)},
             {"utilisation", Number(core.utilisation, 0, 1e6)},
             {"test", Text(core.proof.test)},
             {"schedulable", Flag(core.proof.schedulable)},
             {"verdict", Text(core.proof.verdict)},
             {"witness_ms", Ms(core.proof.witness_ns, 0)},
             {"witness", Text(core.proof.witness)},
             {"growth", Number(core.proof.growth, 0, 1e9)},
             {"assumptions", Texts(core.proof.assumptions)}});
    if (core.cores.empty()) {
      Refuse(at, "the proof needs `cores`");
    }
    return core;
  }
};

}  // namespace

Result<Plan> ReadPlan(std::string_view yaml, std::string_view origin) {
  const auto root = ReadYaml(yaml, origin, "plan");
  if (!root) {
    return root.error();
  }
  return PlanReader(origin).Read(*root);
}

}  // namespace edgewise
