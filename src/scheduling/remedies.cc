#include "scheduling/remedies.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "base/units.h"
#include "scheduling/checked.h"

namespace edgewise::scheduling {
namespace {

constexpr int64_t kSteps = 1000;        // a change is so many parts of a time
constexpr int64_t kLongestPeriod = 10;  // times what was asked for
constexpr int kMostMoreCores = 64;
// Many plans are made here; one that is hard to find is no good remedy.
constexpr int64_t kMostNodes = 5'000;

std::string Text(int64_t ns) { return FormatDuration(static_cast<double>(ns)); }

bool HasPlan(const PlanRequest& request) {
  const Result<PlanAnswer> answer = MakePlan(request);
  return answer.ok() && answer->found;
}

using Change = std::function<PlanRequest(int64_t steps)>;

// The least number of steps from 1 to `most` with a plan; more steps never
// lose one.
std::optional<int64_t> LeastSteps(const Change& change, int64_t most) {
  if (!HasPlan(change(most))) return std::nullopt;
  int64_t too_few = 0;
  while (most - too_few > 1) {
    const int64_t middle = too_few + (most - too_few) / 2;
    (HasPlan(change(middle)) ? most : too_few) = middle;
  }
  return most;
}

int64_t StepNs(int64_t time_ns) {
  return std::max<int64_t>(1, CeilDiv(time_ns, kSteps));
}

void AddAlternatives(const PlanRequest& request,
                     std::span<const Alternative> alternatives,
                     std::vector<Remedy>& remedies) {
  PlanRequest all = request;
  std::string names;
  for (const Alternative& each : alternatives) {
    PlanRequest one = request;
    one.tasks[each.task] = each.instead;
    all.tasks[each.task] = each.instead;
    names += (names.empty() ? "" : ", ") + each.source;
    if (HasPlan(one)) {
      remedies.push_back(
          {RemedyKind::kAlternative,
           "Take " + each.source + " (" + Text(each.instead.task.wcet_ns) +
               ") in place of " + request.tasks[each.task].task.name + " (" +
               Text(request.tasks[each.task].task.wcet_ns) + ").",
           std::move(one)});
    }
  }
  if (remedies.empty() && alternatives.size() > 1 && HasPlan(all)) {
    remedies.push_back({RemedyKind::kAlternative, "Take all of " + names + ".",
                        std::move(all)});
  }
}

void AddLongerPeriod(const PlanRequest& request, size_t index,
                     std::vector<Remedy>& remedies) {
  const PlannedTask& task = request.tasks[index].task;
  if (task.period_ns > kLongestNs / (2 * kLongestPeriod)) return;
  const int64_t step_ns = StepNs(task.period_ns);
  const bool follows = task.deadline_ns == task.period_ns;
  const Change change = [&](int64_t steps) {
    PlanRequest changed = request;
    PlannedTask& longer = changed.tasks[index].task;
    longer.period_ns += steps * step_ns;
    if (follows) longer.deadline_ns = longer.period_ns;
    return changed;
  };
  const auto steps = LeastSteps(change, (kLongestPeriod - 1) * kSteps);
  if (!steps) return;
  PlanRequest changed = change(*steps);
  remedies.push_back({RemedyKind::kLongerPeriod,
                      "Give " + task.name + " a period " +
                          (follows ? "and deadline " : "") + "of " +
                          Text(changed.tasks[index].task.period_ns) +
                          " instead of " + Text(task.period_ns) + ".",
                      std::move(changed)});
}

void AddShorterWcet(const PlanRequest& request, size_t index,
                    std::vector<Remedy>& remedies) {
  const PlannedTask& task = request.tasks[index].task;
  const int64_t step_ns = StepNs(task.wcet_ns);
  const Change change = [&](int64_t steps) {
    PlanRequest changed = request;
    int64_t& wcet_ns = changed.tasks[index].task.wcet_ns;
    wcet_ns = std::max<int64_t>(1, wcet_ns - steps * step_ns);
    return changed;
  };
  const auto steps = LeastSteps(change, kSteps * 9 / 10);
  if (!steps) return;
  PlanRequest changed = change(*steps);
  remedies.push_back({RemedyKind::kShorterWcet,
                      "Make jobs of " + task.name + " take at most " +
                          Text(changed.tasks[index].task.wcet_ns) +
                          " instead of " + Text(task.wcet_ns) + ".",
                      std::move(changed)});
}

void AddCores(const PlanRequest& request, std::span<const int> spare_cores,
              std::vector<Remedy>& remedies) {
  PlanRequest more = request;
  const int most = std::min<int>(
      kMostMoreCores,
      static_cast<int>(std::max(request.tasks.size(), spare_cores.size() + 1)));
  int highest = *std::max_element(more.cores.begin(), more.cores.end());
  for (const int core : spare_cores) highest = std::max(highest, core);
  for (int added = 1; added <= most; ++added) {
    const bool real = static_cast<size_t>(added) <= spare_cores.size();
    more.cores.push_back(real ? spare_cores[static_cast<size_t>(added - 1)]
                              : ++highest);
    if (!HasPlan(more)) continue;
    const std::string count = FormatCount(added, "more core");
    remedies.push_back(
        {RemedyKind::kMoreCores,
         real ? "Use " + count + ": --cores " + FormatCpuList(more.cores) + "."
              : "Take a machine with " + count + ".",
         std::move(more)});
    return;
  }
}

void AddExecutor(const PlanRequest& request, std::vector<Remedy>& remedies) {
  for (const Executor executor :
       {Executor::kEdf, Executor::kEdfPreemptive, Executor::kFifo}) {
    if (executor == request.rules.executor) continue;
    PlanRequest changed = request;
    changed.rules.executor = executor;
    if (!HasPlan(changed)) continue;
    remedies.push_back({RemedyKind::kExecutor,
                        "Run the jobs another way: --executor " +
                            std::string(ExecutorName(executor)) + ".",
                        std::move(changed)});
    return;
  }
}

}  // namespace

std::vector<Remedy> FindRemedies(const PlanRequest& original,
                                 std::span<const Alternative> alternatives,
                                 std::span<const int> spare_cores) {
  PlanRequest request = original;
  request.most_nodes = std::min(request.most_nodes, kMostNodes);
  request.fewest_cores = false;
  request.most_room = false;
  std::vector<Remedy> remedies;
  AddAlternatives(request, alternatives, remedies);
  AddExecutor(request, remedies);
  AddCores(request, spare_cores, remedies);
  for (size_t i = 0; i < request.tasks.size(); ++i) {
    AddLongerPeriod(request, i, remedies);
  }
  for (size_t i = 0; i < request.tasks.size(); ++i) {
    AddShorterWcet(request, i, remedies);
  }
  return remedies;
}

}  // namespace edgewise::scheduling
