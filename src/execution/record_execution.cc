#include "execution/record_execution.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/clock.h"
#include "execution/read_execution.h"
#include "execution/recorded_names.h"
#include "sessions/describe_run.h"
#include "store/store.h"

namespace edgewise {
namespace {

constexpr size_t kFlushBytes = 4 << 20;

Job StoredJob(const JobRecord& record, int64_t start_ns) {
  Job job;
  job.release_ns = record.release_ns - start_ns;
  job.start_ns = record.start_ns - start_ns;
  job.end_ns = record.end_ns - start_ns;
  job.deadline_ns = record.deadline_ns - start_ns;
  job.cpu_ns = record.cpu_ns;
  return job;
}

// What cannot be told from the jobs.
void AddAccounts(RunWriter& writer, const ExecutionTrace& trace,
                 const Execution& execution) {
  const auto add = [&](const std::string& name, const char* unit, int64_t t_ns,
                       double value) {
    writer.AddPoint(writer.SeriesId(SeriesKind::kSystem, name, unit),
                    {t_ns, value});
  };
  for (const TaskExecution& task : execution.tasks) {
    if (task.skipped > 0) {
      add(task.task.name + std::string(kSkippedSuffix), "",
          execution.elapsed_ns, static_cast<double>(task.skipped));
    }
    if (task.unstarted > 0) {
      add(task.task.name + std::string(kUnstartedSuffix), "",
          execution.elapsed_ns, static_cast<double>(task.unstarted));
    }
  }
  add(std::string(kRealtimeName), "", 0, execution.realtime ? 1 : 0);
  if (execution.dispatcher_percent) {
    add(std::string(kDispatchersName), "percent", execution.elapsed_ns,
        *execution.dispatcher_percent);
  }
  for (size_t i = 1; i < trace.steal.size(); ++i) {
    const StealSample& before = trace.steal[i - 1];
    const StealSample& now = trace.steal[i];
    for (size_t core = 0;
         core < std::min(before.steal_ns.size(), now.steal_ns.size()); ++core) {
      // Both ends of each step, so that it is known when it was.
      if (now.steal_ns[core] > before.steal_ns[core]) {
        for (const StealSample* sample : {&before, &now}) {
          add(StealName(core), "ms", sample->at_ns - execution.start_ns,
              static_cast<double>(sample->steal_ns[core]) / 1e6);
        }
      }
    }
  }
}

}  // namespace

Result<std::string> RecordExecution(const std::filesystem::path& home,
                                    const std::string& plan_name,
                                    const ExecutionTrace& trace,
                                    const Execution& execution) {
  auto store = Store::Open(home);
  if (!store) {
    return store.error();
  }
  SessionSettings settings;
  settings.command = {"edgewise", "exec", plan_name};
  settings.label = plan_name;
  settings.group = execution.group;
  settings.group_role = execution.naive ? kNaiveRole : kPlannedRole;
  settings.experiment = "exec " + plan_name;
  settings.conditions.duration_ns = execution.elapsed_ns;
  Run run = DescribeRun(settings);
  run.kind = kExecutionKind;
  run.started_monotonic_ns = execution.start_ns;
  run.started_utc_ns = UtcNs() - (MonotonicNs() - execution.start_ns);
  auto writer = store->Begin(run);
  if (!writer) {
    return writer.error();
  }
  for (const std::vector<uint32_t>& group : trace.groups) {
    std::vector<JobRecord> jobs;
    std::copy_if(trace.jobs.begin(), trace.jobs.end(), std::back_inserter(jobs),
                 [&group](const JobRecord& job) {
                   return std::find(group.begin(), group.end(), job.task) !=
                          group.end();
                 });
    const std::vector<int64_t> stolen =
        StolenFromJobs(jobs, execution.realtime);
    for (size_t i = 0; i < jobs.size(); ++i) {
      const std::string& name = execution.tasks[jobs[i].task].task.name;
      const Job job = StoredJob(jobs[i], execution.start_ns);
      writer->AddJobs(writer->SeriesId(SeriesKind::kJob, name, ""),
                      std::span(&job, 1));
      if (stolen[i] >= 0) {
        writer->AddPoint(
            writer->SeriesId(SeriesKind::kSystem,
                             name + std::string(kStolenSuffix), "ms"),
            {job.end_ns, static_cast<double>(stolen[i]) / 1e6});
      }
      if (writer->BufferedBytes() > kFlushBytes) {
        if (const Result<void> flushed = writer->Flush(); !flushed) {
          return flushed.error();
        }
      }
    }
  }
  AddAccounts(*writer, trace, execution);
  run.totals.wall_s = static_cast<double>(execution.elapsed_ns) / 1e9;
  run.end_reason =
      execution.cancelled ? EndReason::kCancelled : EndReason::kDuration;
  run.state = execution.cancelled ? RunState::kInterrupted : RunState::kDone;
  run.warnings = execution.warnings;
  for (const std::string& sentence : execution.broken_assumptions) {
    run.warnings.push_back(std::string(kNotSo) + sentence);
  }
  if (const Result<void> finished = writer->Finish(run); !finished) {
    return finished.error();
  }
  return run.id;
}

}  // namespace edgewise
