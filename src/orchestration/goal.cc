#include "orchestration/goal.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "orchestration/explain.h"
#include "orchestration/server_costs.h"
#include "orchestration/tail.h"

namespace edgewise::orchestration {
namespace {

// The parts of the time for revenue first, and then for the bound.
constexpr double kRevenuePart = 0.4;
constexpr double kBoundPart = 0.4;
constexpr int kRounds = 20;
constexpr double kRounding = 1e-6;

using Clock = std::chrono::steady_clock;

double Since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

Result<void> CheckWatts(const Problem& problem) {
  for (const Server& server : problem.instance().servers) {
    if (!server.idle_watts || !server.busy_watts ||
        *server.busy_watts < *server.idle_watts) {
      return Error{ErrorCode::kInvalid,
                   "--goal energy: the server " + server.name +
                       " needs idle_watts and busy_watts, which is not less"};
    }
  }
  return {};
}

ServerCosts CostsFor(const Problem& problem, Goal goal) {
  return goal == Goal::kEnergy ? CountingWatts(problem)
                               : CountingServers(problem);
}

// Servers come whole.
double Rounded(Goal goal, double bound) {
  return goal == Goal::kServers ? std::ceil(bound - kRounding) : bound;
}

void Spend(const Problem& problem, Goal goal, const OptimiseSettings& settings,
           Clock::time_point begin, GoalAnswer& found) {
  const ServerCosts costs = CostsFor(problem, goal);
  CostSearch search(problem, costs, ServersOf(problem, found.answer.assignment),
                    settings.seed);
  found.before = search.cost();
  std::vector<size_t> items;
  for (size_t i = 0; i < found.answer.assignment.size(); ++i) {
    if (found.answer.assignment[i]) {
      items.push_back(i);
    }
  }
  const auto cancelled = [&settings] {
    return settings.cancelled && settings.cancelled();
  };
  const double left = std::max(0.0, settings.seconds - Since(begin));
  const double search_until = settings.seconds - kBoundPart * left;
  // Some of the search comes before the bound, and some after it, because the
  // bound may say that nothing is left to be found.
  while (Since(begin) < search_until - left / 4 && !cancelled()) {
    search.Improve(kRounds);
  }
  auto solver = MakeSolver();
  const double bound_until = Since(begin) + kBoundPart * left;
  const double bound =
      CostBound(problem, costs, items, solver ? solver->get() : nullptr,
                [&] { return Since(begin) > bound_until || cancelled(); });
  const double least = std::max(0.0, Rounded(goal, bound));
  while (Since(begin) < settings.seconds && !cancelled() &&
         search.cost() > least * (1 + 1e-9)) {
    search.Improve(kRounds);
  }
  found.answer.assignment = AssignmentOf(problem, search.servers());
  found.cost = costs.Total(search.servers());
  // That nothing is needed is no proof, unless nothing stands anywhere.
  if (least > 0 || items.empty()) {
    found.bound = std::min(least, found.cost);
  }
}

void CutTail(const Problem& problem, const OptimiseSettings& settings,
             Clock::time_point begin, GoalAnswer& found) {
  found.before = WorstPart(problem, found.answer.assignment);
  const TailAnswer tail =
      LowerTail(problem, found.answer.assignment, settings,
                std::max(0.0, settings.seconds - Since(begin)));
  found.answer.assignment = tail.assignment;
  found.cost = tail.worst_part;
  if (tail.bound > 0) {
    found.bound = tail.bound;
  }
}

}  // namespace

std::optional<Goal> ParseGoal(std::string_view text) {
  for (const Goal goal :
       {Goal::kRevenue, Goal::kServers, Goal::kTail, Goal::kEnergy}) {
    if (text == GoalName(goal)) {
      return goal;
    }
  }
  return std::nullopt;
}

std::string_view GoalName(Goal goal) {
  switch (goal) {
    case Goal::kRevenue:
      return "revenue";
    case Goal::kServers:
      return "servers";
    case Goal::kTail:
      return "tail";
    case Goal::kEnergy:
      return "energy";
  }
  return "";
}

std::optional<double> GoalAnswer::Gap() const {
  if (!bound || cost <= 0) {
    return std::nullopt;
  }
  return std::clamp(1 - *bound / cost, 0.0, 1.0);
}

Result<GoalAnswer> Pursue(const Problem& problem, Goal goal,
                          const OptimiseSettings& settings) {
  if (goal == Goal::kEnergy) {
    if (const auto stated = CheckWatts(problem); !stated) {
      return stated.error();
    }
  }
  const auto begin = Clock::now();
  OptimiseSettings first = settings;
  if (goal != Goal::kRevenue) {
    first.seconds = kRevenuePart * settings.seconds;
    first.move_cost_micros = 0;
  }
  GoalAnswer found;
  found.answer = Optimise(problem, first);
  if (goal == Goal::kTail) {
    CutTail(problem, settings, begin, found);
  } else if (goal != Goal::kRevenue) {
    Spend(problem, goal, settings, begin, found);
  }
  found.answer.revenue_micros = RevenueMicros(problem, found.answer.assignment);
  found.answer.moves = CountMoves(settings.current, found.answer.assignment);
  found.answer.seconds = Since(begin);
  return found;
}

}  // namespace edgewise::orchestration
