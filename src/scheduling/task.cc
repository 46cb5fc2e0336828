#include "scheduling/task.h"

#include <set>
#include <string_view>

#include "base/units.h"

namespace edgewise::scheduling {
namespace {

Error Invalid(const Task& task, std::string_view what) {
  return {ErrorCode::kInvalid,
          "Task \"" + task.name + "\" " + std::string(what) + "."};
}

std::string Duration(int64_t ns) {
  return FormatDuration(static_cast<double>(ns));
}

}  // namespace

Result<void> CheckTimes(std::span<const Task> tasks) {
  for (const Task& task : tasks) {
    if (task.wcet_ns <= 0) {
      return Invalid(task, "has no execution time; give one above 0");
    }
    if (task.period_ns <= 0) {
      return Invalid(task, "has no period; give one above 0");
    }
    if (task.deadline_ns <= 0) {
      return Invalid(task, "has no deadline; give one above 0");
    }
    if (task.jitter_ns < 0) {
      return Invalid(task, "has a negative jitter; give 0 or more");
    }
    if (task.wcet_ns > kLongestNs || task.period_ns > kLongestNs ||
        task.deadline_ns > kLongestNs || task.jitter_ns > kLongestNs) {
      return Invalid(task, "has a time beyond 146 years; shorten it");
    }
  }
  return {};
}

Result<void> CheckTasks(std::span<const Task> tasks) {
  if (Result<void> times = CheckTimes(tasks); !times.ok()) return times;
  std::set<std::string_view> names;
  for (const Task& task : tasks) {
    if (task.name.empty()) {
      return Error{ErrorCode::kInvalid,
                   "A task has no name; give each one a name."};
    }
    if (!names.insert(task.name).second) {
      return Invalid(task, "is given twice; give each task its own name");
    }
    if (task.wcet_ns > task.deadline_ns) {
      return Invalid(task, "needs " + Duration(task.wcet_ns) +
                               " but must be done after " +
                               Duration(task.deadline_ns) +
                               "; give it a longer deadline or less to do");
    }
    if (task.wcet_ns > task.deadline_ns - task.jitter_ns) {
      return Invalid(task, "may start " + Duration(task.jitter_ns) +
                               " late and needs " + Duration(task.wcet_ns) +
                               ", but must be done after " +
                               Duration(task.deadline_ns) +
                               "; give it a longer deadline or less jitter");
    }
    if (task.memory_bytes < 0) {
      return Invalid(task, "needs negative memory; give 0 or more bytes");
    }
    if (task.whole_cores < 0) {
      return Invalid(task, "needs a negative number of cores; give 0 or more");
    }
    for (const int core : task.cores) {
      if (core < 0) return Invalid(task, "names a negative core");
    }
  }
  return {};
}

Result<std::vector<Task>> AddOverheads(std::span<const Task> tasks,
                                       const Overheads& overheads) {
  if (overheads.per_job_ns < 0 || overheads.latency_ns < 0 ||
      overheads.per_job_ns > kLongestNs || overheads.latency_ns > kLongestNs) {
    return Error{ErrorCode::kInvalid,
                 "Overheads must be between 0 and 146 years; measure them "
                 "again."};
  }
  std::vector<Task> inflated(tasks.begin(), tasks.end());
  if (Result<void> times = CheckTimes(inflated); !times.ok()) {
    return times.error();
  }
  for (Task& task : inflated) {  // at most 2^63 - 1: both are at most 2^62
    if (task.wcet_ns > kLongestNs - overheads.per_job_ns ||
        task.jitter_ns > kLongestNs - overheads.latency_ns) {
      return Invalid(task, "with overheads exceeds 146 years; shorten it");
    }
    task.wcet_ns += overheads.per_job_ns;
    task.jitter_ns += overheads.latency_ns;
  }
  return inflated;
}

double Utilisation(std::span<const Task> tasks) {
  double sum = 0;
  for (const Task& task : tasks) {
    sum +=
        static_cast<double>(task.wcet_ns) / static_cast<double>(task.period_ns);
  }
  return sum;
}

}  // namespace edgewise::scheduling
