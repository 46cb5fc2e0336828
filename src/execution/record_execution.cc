#include "execution/record_execution.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/clock.h"
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
  settings.group_role = execution.naive ? "naive" : "planned";
  settings.experiment = "exec " + plan_name;
  settings.conditions.duration_ns = execution.elapsed_ns;
  Run run = DescribeRun(settings);
  run.kind = "exec";
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
            writer->SeriesId(SeriesKind::kSystem, name + " stolen", "ms"),
            {job.end_ns, static_cast<double>(stolen[i]) / 1e6});
      }
      if (writer->BufferedBytes() > kFlushBytes) {
        if (const Result<void> flushed = writer->Flush(); !flushed) {
          return flushed.error();
        }
      }
    }
  }
  run.totals.wall_s = static_cast<double>(execution.elapsed_ns) / 1e9;
  run.end_reason =
      execution.cancelled ? EndReason::kCancelled : EndReason::kDuration;
  run.state = execution.cancelled ? RunState::kInterrupted : RunState::kDone;
  run.warnings = execution.warnings;
  for (const std::string& sentence : execution.broken_assumptions) {
    run.warnings.push_back("not so: " + sentence);
  }
  if (const Result<void> finished = writer->Finish(run); !finished) {
    return finished.error();
  }
  return run.id;
}

}  // namespace edgewise
