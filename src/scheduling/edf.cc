#include "scheduling/edf.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "base/units.h"
#include "scheduling/checked.h"
#include "scheduling/demand.h"
#include "scheduling/edf_horizon.h"
#include "scheduling/fractions.h"

namespace edgewise::scheduling {
namespace {

// Deadlines looked at for the first witness: some tenths of a second.
constexpr int64_t kMostDeadlines = 3'000'000;

// Load against supply.
std::strong_ordering CompareLoad(std::span<const Task> tasks,
                                 const Supply& supply) {
  std::vector<Fraction> parts = UtilisationOf(tasks);
  parts.push_back({static_cast<Uint128>(supply.period_ns - supply.quota_ns),
                   supply.period_ns});
  return CompareSum(parts, 1);
}

Witness MakeWitness(int64_t t_ns, int64_t demand_ns, const Supply& supply) {
  return {t_ns, demand_ns, supply.At(t_ns)};
}

// The shortest window that demands too much, no longer than until_ns.
std::optional<Witness> FirstWitness(const Demand& demand, const Supply& supply,
                                    int64_t until_ns) {
  const std::vector<Demand::Source>& sources = demand.sources();
  using Due = std::pair<int64_t, size_t>;  // deadline, source
  std::priority_queue<Due, std::vector<Due>, std::greater<>> queue;
  for (size_t i = 0; i < sources.size(); ++i) {
    queue.emplace(sources[i].deadline_ns, i);
  }
  CheckedSum work;
  size_t due = 0;  // sources with a deadline so far
  for (int64_t step = 0; step < kMostDeadlines && !queue.empty(); ++step) {
    const auto [t_ns, i] = queue.top();
    if (t_ns > until_ns) break;
    queue.pop();
    work.Add(sources[i].wcet_ns);
    if (t_ns == sources[i].deadline_ns) ++due;
    CheckedSum next(t_ns);
    next.Add(sources[i].period_ns);
    if (!next.overflowed()) queue.emplace(next.sum(), i);
    if (!queue.empty() && queue.top().first == t_ns) continue;
    CheckedSum total = work;
    total.Add(demand.BlockingAfter(due));
    if (total.overflowed()) break;
    if (supply.At(t_ns) < total.sum()) {
      return MakeWitness(t_ns, total.sum(), supply);
    }
  }
  return std::nullopt;
}

// Some window that demands too much, if there is one: walks down from the
// horizon. Where demand in t needs s < t of supply, no window between s and t
// can demand too much, since it demands no more.
Result<std::optional<Witness>> WalkBackwards(const Demand& demand,
                                             const Supply& supply,
                                             int64_t horizon_ns) {
  Effort effort;
  const int64_t shortest_ns = demand.sources().front().deadline_ns;
  std::optional<int64_t> t_ns = horizon_ns;
  while (t_ns && *t_ns >= shortest_ns) {
    if (!effort.Spend(static_cast<int64_t>(demand.sources().size()))) {
      return TooLong();
    }
    const CheckedSum work = demand.At(*t_ns);
    if (work.overflowed()) return TooLarge();
    const std::optional<int64_t> needed_ns = supply.WindowFor(work.sum());
    if (!needed_ns || *needed_ns > *t_ns) {
      return std::optional(MakeWitness(*t_ns, work.sum(), supply));
    }
    t_ns = *needed_ns < *t_ns ? needed_ns : demand.LastDeadlineBefore(*t_ns);
  }
  return std::optional<Witness>();
}

Result<EdfVerdict> Analyse(std::span<const Task> tasks, const EdfRules& rules,
                           bool with_witness) {
  if (Result<void> valid = CheckTimes(tasks); !valid.ok()) {
    return valid.error();
  }
  if (tasks.empty()) return EdfVerdict{true, std::nullopt};
  const Demand demand(tasks, rules.preemptive);
  if (demand.sources().front().deadline_ns <= 0) {
    // Jitter alone makes it late: due the moment it becomes ready.
    const CheckedSum work = demand.At(0);
    if (work.overflowed()) return TooLarge();
    return EdfVerdict{false, MakeWitness(0, work.sum(), rules.supply)};
  }
  const std::strong_ordering load = CompareLoad(tasks, rules.supply);
  if (load > 0) {
    if (!with_witness) return EdfVerdict{false, std::nullopt};
    return EdfVerdict{false, FirstWitness(demand, rules.supply, kLongestNs)};
  }
  const Result<int64_t> horizon_ns = HorizonOf(demand, rules.supply, load == 0);
  if (!horizon_ns.ok()) return horizon_ns.error();
  Result<std::optional<Witness>> found =
      WalkBackwards(demand, rules.supply, *horizon_ns);
  if (!found.ok()) return found.error();
  if (!*found) return EdfVerdict{true, std::nullopt};
  Witness witness = **found;
  witness.first = false;
  if (with_witness) {
    witness =
        FirstWitness(demand, rules.supply, witness.t_ns).value_or(witness);
  }
  return EdfVerdict{false, witness};
}

}  // namespace

Result<EdfVerdict> AnalyseEdf(std::span<const Task> tasks,
                              const EdfRules& rules) {
  return Analyse(tasks, rules, true);
}

Result<bool> IsEdfSchedulable(std::span<const Task> tasks,
                              const EdfRules& rules) {
  Result<EdfVerdict> verdict = Analyse(tasks, rules, false);
  if (!verdict.ok()) return verdict.error();
  return verdict->schedulable;
}

std::string Explain(const Witness& witness) {
  const auto text = [](int64_t ns) {
    return FormatDuration(static_cast<double>(ns));
  };
  return "Within some " + text(witness.t_ns) + ", " + text(witness.demand_ns) +
         " of work must be done, and the core does " + text(witness.supply_ns) +
         ".";
}

}  // namespace edgewise::scheduling
