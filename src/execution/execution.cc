#include "execution/execution.h"

#include <algorithm>

namespace edgewise {
namespace {

constexpr size_t kWorst = 10;
// Explaining a job looks at those around it; of a schedule in ruins only so
// many are worth it.
constexpr int64_t kMostExplained = 20000;

// What the kernel counted on `core` between the samples around a time span.
int64_t StealWithin(const std::vector<StealSample>& samples, int core,
                    int64_t from_ns, int64_t to_ns) {
  const auto steal = [core](const StealSample& sample) -> int64_t {
    const auto index = static_cast<size_t>(core);
    return core >= 0 && index < sample.steal_ns.size() ? sample.steal_ns[index]
                                                       : 0;
  };
  const auto later = [](int64_t at_ns, const StealSample& sample) {
    return at_ns < sample.at_ns;
  };
  auto before =
      std::upper_bound(samples.begin(), samples.end(), from_ns, later);
  auto after = std::upper_bound(samples.begin(), samples.end(), to_ns, later);
  if (samples.empty()) {
    return 0;
  }
  before = before == samples.begin() ? before : before - 1;
  after = after == samples.end() ? after - 1 : after;
  return std::max<int64_t>(0, steal(*after) - steal(*before));
}

// One dispatcher's tasks.
class GroupJudge {
 public:
  GroupJudge(const Plan& plan, const ExecutionTrace& trace,
             Execution& execution, std::vector<JobRecord> jobs)
      : plan_(plan),
        trace_(trace),
        execution_(execution),
        jobs_(std::move(jobs)) {}

  void Judge() {
    const std::vector<int64_t> stolen =
        StolenFromJobs(jobs_, execution_.realtime);
    for (size_t i = 0; i < jobs_.size(); ++i) {
      TaskExecution& task = execution_.tasks[jobs_[i].task];
      if (stolen[i] >= 0) {
        task.stolen_ns = task.stolen_ns.value_or(0) + stolen[i];
      }
      const auto bound =
          execution_.naive ? std::nullopt : task.task.response_bound_ns;
      const bool violates = bound && jobs_[i].response_ns() > *bound;
      if (violates) {
        ++task.violations;
      }
      if (violates || jobs_[i].missed()) {
        JudgeBadJob(i, violates, task);
      }
    }
  }

 private:
  void JudgeBadJob(size_t i, bool violates, TaskExecution& task) {
    if (++explained_ > kMostExplained) {
      return;
    }
    const JobRecord& job = jobs_[i];
    const int core = task.task.cores.empty() ? -1 : task.task.cores.front();
    CoreFacts facts;
    facts.realtime = execution_.realtime;
    facts.steal_ns = execution_.naive ? 0
                                      : StealWithin(trace_.steal, core,
                                                    job.release_ns, job.end_ns);
    // Jobs that can matter: from the last one that ended before the release.
    size_t first = i;
    while (first > 0 && jobs_[first - 1].end_ns > job.release_ns) {
      --first;
    }
    const int64_t allowed_ns = violates ? *task.task.response_bound_ns
                                        : job.deadline_ns - job.release_ns;
    const JobExplanation why =
        ExplainJob(job, std::span(jobs_).subspan(first), plan_, facts,
                   job.response_ns() - allowed_ns);
    if (job.missed() && why.stolen_ns >= job.end_ns - job.deadline_ns) {
      ++task.late_by_theft;
    }
    if (violates) {
      task.worst.push_back({job, why});
    }
  }

  const Plan& plan_;
  const ExecutionTrace& trace_;
  Execution& execution_;
  std::vector<JobRecord> jobs_;  // ascending in start
  int64_t explained_ = 0;
};

void SummariseTask(const std::vector<JobRecord>& jobs, uint32_t index,
                   int64_t elapsed_ns, TaskExecution& task) {
  std::vector<double> responses;
  std::vector<double> delays;
  std::vector<double> cpu;
  double tardiness_sum_ns = 0;
  double cpu_sum_ns = 0;
  for (const JobRecord& job : jobs) {
    if (job.task != index) {
      continue;
    }
    ++task.jobs;
    responses.push_back(static_cast<double>(job.response_ns()));
    delays.push_back(static_cast<double>(job.start_ns - job.release_ns));
    if (job.cpu_ns >= 0) {
      cpu.push_back(static_cast<double>(job.cpu_ns));
      cpu_sum_ns += cpu.back();
      task.overruns += job.cpu_ns > task.task.wcet_ns ? 1 : 0;
    }
    if (job.missed()) {
      const int64_t late_ns = job.end_ns - job.deadline_ns;
      ++task.late;
      tardiness_sum_ns += static_cast<double>(late_ns);
      task.tardiness_ns = std::max(task.tardiness_ns.value_or(0), late_ns);
    }
  }
  task.response_ns = stats::Summarise(responses);
  task.start_delay_ns = stats::Summarise(delays);
  task.cpu_ns = stats::Summarise(cpu);
  if (task.late > 0) {
    task.mean_tardiness_ns = tardiness_sum_ns / static_cast<double>(task.late);
  }
  if (!cpu.empty() && elapsed_ns > 0) {
    task.utilisation = cpu_sum_ns / static_cast<double>(elapsed_ns);
  }
  if (task.released() > 0) {
    task.miss_interval =
        stats::WilsonInterval(static_cast<double>(task.misses()),
                              static_cast<double>(task.released()));
  }
}

}  // namespace

void JudgeExecution(const Plan& plan, ExecutionTrace& trace,
                    Execution& execution) {
  std::stable_sort(trace.jobs.begin(), trace.jobs.end(),
                   [](const JobRecord& a, const JobRecord& b) {
                     return a.start_ns < b.start_ns;
                   });
  for (uint32_t i = 0; i < execution.tasks.size(); ++i) {
    TaskExecution& task = execution.tasks[i];
    task.skipped = trace.accounts[i].skipped;
    task.unstarted = trace.accounts[i].unstarted;
    SummariseTask(trace.jobs, i, execution.elapsed_ns, task);
  }
  for (const std::vector<uint32_t>& group : trace.groups) {
    std::vector<JobRecord> jobs;
    std::copy_if(trace.jobs.begin(), trace.jobs.end(), std::back_inserter(jobs),
                 [&group](const JobRecord& job) {
                   return std::find(group.begin(), group.end(), job.task) !=
                          group.end();
                 });
    AddCosts(plan, jobs, execution.costs);
    GroupJudge(plan, trace, execution, std::move(jobs)).Judge();
  }
  for (TaskExecution& task : execution.tasks) {
    std::sort(task.worst.begin(), task.worst.end(),
              [](const BoundViolation& a, const BoundViolation& b) {
                return a.job.response_ns() > b.job.response_ns();
              });
    if (task.worst.size() > kWorst) {
      task.worst.resize(kWorst);
    }
  }
}

}  // namespace edgewise
