#include "random_tasks.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

namespace edgewise::scheduling {

std::vector<Task> Tasks(const std::vector<Cdt>& rows) {
  std::vector<Task> tasks;
  for (const Cdt& row : rows) {
    Task task;
    task.name = "t" + std::to_string(tasks.size());
    task.wcet_ns = row.c;
    task.deadline_ns = row.d;
    task.period_ns = row.t;
    task.jitter_ns = row.j;
    tasks.push_back(std::move(task));
  }
  return tasks;
}

namespace {

std::vector<double> UUniFastDiscard(int n, double load, stats::Random* random) {
  while (true) {
    std::vector<double> loads;
    double left = load;
    for (int i = 1; i < n; ++i) {
      const double next = left * std::pow(random->Uniform(), 1.0 / (n - i));
      loads.push_back(left - next);
      left = next;
    }
    loads.push_back(left);
    if (*std::max_element(loads.begin(), loads.end()) <= 1) return loads;
  }
}

}  // namespace

std::vector<Task> RandomTasks(const SetKind& kind, stats::Random* random) {
  const int n =
      kind.least_tasks + static_cast<int>(random->Below(static_cast<uint64_t>(
                             kind.most_tasks - kind.least_tasks + 1)));
  const double load = std::min<double>(
      n == 1 ? 1 : n - 0.9,
      kind.least_load + random->Uniform() * (kind.most_load - kind.least_load));
  std::vector<Cdt> rows;
  for (const double share : UUniFastDiscard(n, load, random)) {
    const int64_t t =
        2 + random->Below(static_cast<uint64_t>(kind.most_period - 1));
    const int64_t c =
        std::max<int64_t>(1, std::llround(share * static_cast<double>(t)));
    int64_t d = t;
    if (kind.deadlines == Deadlines::kConstrained) {
      d = c +
          random->Below(static_cast<uint64_t>(std::max<int64_t>(1, t - c + 1)));
    } else if (kind.deadlines == Deadlines::kArbitrary) {
      d = c + random->Below(static_cast<uint64_t>(2 * t));
    }
    const int64_t j = kind.jitter ? random->Below(static_cast<uint64_t>(t)) : 0;
    rows.push_back({c, d, t, random->Below(2) == 0 ? 0 : j});
  }
  return Tasks(rows);
}

int64_t Hyperperiod(const std::vector<Task>& tasks) {
  int64_t hyperperiod = 1;
  for (const Task& task : tasks) {
    hyperperiod = std::lcm(hyperperiod, task.period_ns);
  }
  return hyperperiod;
}

bool IsOverloaded(const std::vector<Task>& tasks) {
  const int64_t hyperperiod = Hyperperiod(tasks);
  int64_t work = 0;
  for (const Task& task : tasks) {
    work += hyperperiod / task.period_ns * task.wcet_ns;
  }
  return work > hyperperiod;
}

JobSource RandomHistory(const std::vector<Task>& tasks, uint64_t seed) {
  struct State {
    stats::Random random;
    bool pauses;
    bool short_jobs;
    bool late_first;  // the first job as late as may be, the others at once
    std::vector<int64_t> next_ns;
  };
  auto state = std::make_shared<State>(
      State{stats::Random(seed), false, false, false, {}});
  state->pauses = state->random.Below(4) == 0;
  state->short_jobs = state->random.Below(4) == 0;
  state->late_first = state->random.Below(2) == 0;
  const bool together = state->random.Below(3) == 0;
  for (const Task& task : tasks) {
    const int64_t offset =
        together ? 0
                 : state->random.Below(static_cast<uint64_t>(task.period_ns));
    // With the jitter taken off, so that late first jobs are ready together.
    state->next_ns.push_back(state->late_first
                                 ? offset + 2 * task.period_ns - task.jitter_ns
                                 : offset);
  }
  if (together && state->late_first) {
    int64_t longest = 0;
    for (const Task& task : tasks) longest = std::max(longest, task.jitter_ns);
    for (size_t i = 0; i < tasks.size(); ++i) {
      state->next_ns[i] = longest - tasks[i].jitter_ns;
    }
  }
  return [&tasks, state](size_t task, int64_t job) -> SimulatedJob {
    const Task& t = tasks[task];
    SimulatedJob made{state->next_ns[task], 0, t.wcet_ns};
    if (t.jitter_ns > 0) {
      made.delay_ns =
          state->late_first
              ? (job == 0 ? t.jitter_ns : 0)
              : state->random.Below(static_cast<uint64_t>(t.jitter_ns) + 1);
    }
    if (state->short_jobs && state->random.Below(4) == 0) {
      made.execution_ns =
          1 + state->random.Below(static_cast<uint64_t>(t.wcet_ns));
    }
    state->next_ns[task] += t.period_ns;
    if (state->pauses && state->random.Below(4) == 0) {
      state->next_ns[task] +=
          state->random.Below(static_cast<uint64_t>(t.period_ns) * 2);
    }
    return made;
  };
}

std::string Show(const std::vector<Task>& tasks) {
  std::string text;
  for (const Task& task : tasks) {
    text += "{C " + std::to_string(task.wcet_ns) + ", D " +
            std::to_string(task.deadline_ns) + ", T " +
            std::to_string(task.period_ns) + ", J " +
            std::to_string(task.jitter_ns) + "} ";
  }
  return text;
}

}  // namespace edgewise::scheduling
