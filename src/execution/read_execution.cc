#include "execution/read_execution.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "execution/permitted_plan.h"
#include "execution/recorded_names.h"

namespace edgewise {
namespace {

// The core of "core 3 steal"; nullopt for any other name.
std::optional<size_t> StealCore(std::string_view name) {
  const auto fields = SplitFields(name);
  if (fields.size() != 3) {
    return std::nullopt;
  }
  const auto core = ParseUint(fields[1]);
  return core && StealName(*core) == name ? std::optional<size_t>(*core)
                                          : std::nullopt;
}

// Reads the schedule of one Run.
class ScheduleReader {
 public:
  ScheduleReader(const Store& store, const Run& run, Plan plan)
      : store_(store), run_(run), plan_(std::move(plan)) {}

  // `programs`: the Runs of the group, among which those of the tasks are.
  Result<Execution> Read(std::span<const Run> programs);

 private:
  Result<void> AddJobs(const SeriesInfo& series);
  Result<void> AddPoints(const SeriesInfo& series);
  void AddTaskPoint(std::string_view name, const Point& point);
  // The plan without real-time policies, if these were refused.
  Result<void> PermitPlan();
  void AddTasks(std::span<const Run> programs);
  // Jobs of which it is not known what was stolen gave up the core.
  void MarkWaits();
  void AddSteal();
  void MakeGroups();

  const Store& store_;
  const Run& run_;
  Plan plan_;  // as it was executed
  ExecutionTrace trace_;
  Execution execution_;
  std::vector<std::set<int64_t>> told_;                 // ends of jobs, by task
  std::map<size_t, std::map<int64_t, int64_t>> steal_;  // counts, by core
};

Result<void> ScheduleReader::AddJobs(const SeriesInfo& series) {
  uint32_t task = 0;
  while (task < plan_.tasks.size() && plan_.tasks[task].name != series.name) {
    ++task;
  }
  if (task == plan_.tasks.size()) {
    return Error{ErrorCode::kInvalid, "Run " + run_.id + " has a task " +
                                          series.name +
                                          " that the plan does not have: it "
                                          "executed another one"};
  }
  const auto jobs = store_.Jobs(series.id);
  if (!jobs) {
    return jobs.error();
  }
  const PlannedTask& planned = plan_.tasks[task];
  for (const Job& job : *jobs) {
    if (job.deadline_ns - job.release_ns != planned.deadline_ns) {
      return Error{ErrorCode::kInvalid, "Run " + run_.id +
                                            " has other deadlines for task " +
                                            planned.name +
                                            " than the plan: it executed "
                                            "another one"};
    }
    JobRecord record;
    record.task = task;
    record.number =
        static_cast<uint32_t>(job.release_ns / planned.period_ns + 1);
    record.release_ns = job.release_ns;
    record.deadline_ns = job.deadline_ns;
    record.dispatched_ns = job.start_ns;
    record.start_ns = job.start_ns;
    record.end_ns = job.end_ns;
    record.cpu_ns = job.cpu_ns;
    trace_.jobs.push_back(record);
  }
  return {};
}

void ScheduleReader::AddTaskPoint(std::string_view name, const Point& point) {
  for (size_t i = 0; i < plan_.tasks.size(); ++i) {
    const std::string& task = plan_.tasks[i].name;
    if (!name.starts_with(task)) {
      continue;
    }
    const std::string_view what = name.substr(task.size());
    if (what == kStolenSuffix) {
      told_[i].insert(point.t_ns);
    } else if (what == kSkippedSuffix) {
      trace_.accounts[i].skipped = std::llround(point.value);
    } else if (what == kUnstartedSuffix) {
      trace_.accounts[i].unstarted = std::llround(point.value);
    }
  }
}

Result<void> ScheduleReader::AddPoints(const SeriesInfo& series) {
  const auto points = store_.Points(series.id);
  if (!points) {
    return points.error();
  }
  const std::optional<size_t> core = StealCore(series.name);
  for (const Point& point : *points) {
    if (series.name == kRealtimeName) {
      execution_.realtime = point.value != 0;
    } else if (series.name == kDispatchersName) {
      execution_.dispatcher_percent = point.value;
    } else if (core) {
      steal_[*core][point.t_ns] = std::llround(point.value * 1e6);
    } else {
      AddTaskPoint(series.name, point);
    }
  }
  return {};
}

void ScheduleReader::MarkWaits() {
  for (JobRecord& job : trace_.jobs) {
    job.waits = told_[job.task].contains(job.end_ns) ? 0 : 1;
  }
}

void ScheduleReader::AddSteal() {
  std::set<int64_t> times;
  size_t cores = 0;
  for (const auto& [core, counts] : steal_) {
    cores = std::max(cores, core + 1);
    for (const auto& [at_ns, count_ns] : counts) {
      times.insert(at_ns);
    }
  }
  for (const int64_t at_ns : times) {
    StealSample sample{at_ns, std::vector<int64_t>(cores)};
    for (const auto& [core, counts] : steal_) {
      const auto after = counts.upper_bound(at_ns);
      sample.steal_ns[core] =
          after == counts.begin() ? after->second : std::prev(after)->second;
    }
    trace_.steal.push_back(std::move(sample));
  }
}

void ScheduleReader::MakeGroups() {
  std::map<int, std::vector<uint32_t>> by_core;
  for (uint32_t i = 0; i < plan_.tasks.size(); ++i) {
    const std::vector<int>& cores = plan_.tasks[i].cores;
    by_core[execution_.naive || cores.empty() ? -1 : cores.front()].push_back(
        i);
  }
  for (auto& [core, tasks] : by_core) {
    trace_.groups.push_back(std::move(tasks));
  }
}

Result<void> ScheduleReader::PermitPlan() {
  if (execution_.naive || execution_.realtime || !NeedsRealtime(plan_)) {
    return {};
  }
  // What it came to was told when it was executed.
  std::vector<std::string> told;
  auto permitted = PlanWithoutRealtime(plan_, "", &told);
  if (!permitted) {
    return permitted.error();
  }
  plan_ = std::move(*permitted);
  return {};
}

void ScheduleReader::AddTasks(std::span<const Run> programs) {
  for (const PlannedTask& planned : plan_.tasks) {
    TaskExecution task;
    task.task = planned;
    const auto program =
        std::find_if(programs.begin(), programs.end(), [&](const Run& each) {
          return each.kind != kExecutionKind && each.label == planned.name &&
                 each.group_role == run_.group_role;
        });
    if (program != programs.end()) {
      task.run_id = program->id;
    }
    execution_.tasks.push_back(std::move(task));
  }
}

Result<Execution> ScheduleReader::Read(std::span<const Run> programs) {
  execution_.naive = run_.group_role == kNaiveRole;
  execution_.group = run_.group;
  execution_.run_id = run_.id;
  execution_.cancelled = run_.end_reason == EndReason::kCancelled;
  execution_.elapsed_ns = run_.conditions.duration_ns.value_or(0);
  for (const std::string& warning : run_.warnings) {
    if (warning.starts_with(kNotSo)) {
      execution_.broken_assumptions.push_back(warning.substr(kNotSo.size()));
    } else {
      execution_.warnings.push_back(warning);
    }
  }
  trace_.accounts.resize(plan_.tasks.size());
  told_.resize(plan_.tasks.size());
  const auto all = store_.SeriesOf(run_.id);
  if (!all) {
    return all.error();
  }
  for (const SeriesInfo& series : *all) {
    const Result<void> added =
        series.kind == SeriesKind::kJob ? AddJobs(series) : AddPoints(series);
    if (!added) {
      return added.error();
    }
  }
  if (Result<void> permitted = PermitPlan(); !permitted) {
    return permitted.error();
  }
  AddTasks(programs);
  MarkWaits();
  AddSteal();
  MakeGroups();
  JudgeExecution(plan_, trace_, execution_);
  return std::move(execution_);
}

}  // namespace

Result<std::vector<Execution>> ReadExecutions(const Store& store,
                                              const std::string& group,
                                              const Plan& plan) {
  ListFilter filter;
  filter.group = group;
  const auto runs = store.List(filter);
  if (!runs) {
    return runs.error();
  }
  std::vector<Execution> executions;
  for (const std::string_view role : {kNaiveRole, kPlannedRole}) {
    const auto schedule =
        std::find_if(runs->begin(), runs->end(), [role](const Run& run) {
          return run.kind == kExecutionKind && run.group_role == role;
        });
    if (schedule == runs->end()) {
      continue;
    }
    auto execution = ScheduleReader(store, *schedule, plan).Read(*runs);
    if (!execution) {
      return execution.error();
    }
    executions.push_back(std::move(*execution));
  }
  if (executions.empty()) {
    return Error{ErrorCode::kNotFound,
                 "the Runs of group " + group + " hold no execution of a plan"};
  }
  return executions;
}

}  // namespace edgewise
