#include "orchestration/columns.h"

#include <algorithm>
#include <numeric>

namespace edgewise::orchestration {
namespace {

constexpr SearchEffort kEffort{150, 2'000, true};
constexpr double kInertia = 0.9;
constexpr double kInertiaStep = 0.01;
constexpr double kLeastInertia = 0.1;
constexpr double kLeastLearning = 0.6;
constexpr double kRounding = 1e-9;
constexpr double kLeastGain = 1;  // a micro
constexpr double kLongestProgramS = 5;
// Less of the bound is not worth a round.
constexpr double kEnough = 1e-5;

}  // namespace

Columns::Columns(const Problem& problem, Solver& solver)
    : problem_(problem), solver_(solver), all_items_(problem.items().size()) {
  std::iota(all_items_.begin(), all_items_.end(), 0);
  program_.limits.assign(problem.items().size(), 1);
  for (const ServerKind& kind : problem.kinds()) {
    program_.limits.push_back(static_cast<double>(kind.servers.size()));
  }
}

void Columns::AddColumn(size_t kind, const std::vector<size_t>& items) {
  std::vector<size_t> sorted = items;
  std::sort(sorted.begin(), sorted.end());
  if (!known_.emplace(kind, std::move(sorted)).second) {
    return;
  }
  LinearProgram::Column column;
  column.most = 1;
  for (const size_t item : items) {
    column.gain += static_cast<double>(problem_.items()[item].pay_micros);
    column.entries.push_back({static_cast<int>(item), 1});
  }
  column.entries.push_back(
      {static_cast<int>(problem_.items().size() + kind), 1});
  program_.columns.push_back(std::move(column));
  configurations_.emplace_back(kind, items);
}

void Columns::Add(const std::vector<ServerLoad>& servers) {
  for (const ServerLoad& server : servers) {
    if (!server.items().empty()) {
      AddColumn(server.kind(), server.items());
    }
  }
}

double Columns::Price(const std::vector<double>& costs,
                      const std::vector<double>& prices) {
  const size_t items = problem_.items().size();
  std::vector<double> values(items);
  double total = 0;
  for (size_t i = 0; i < items; ++i) {
    total += costs[i];
    values[i] = static_cast<double>(problem_.items()[i].pay_micros) - costs[i];
  }
  for (size_t kind = 0; kind < problem_.kinds().size(); ++kind) {
    const ConfigurationAnswer best =
        BestConfiguration(problem_, kind, all_items_, values, kEffort);
    total +=
        static_cast<double>(problem_.kinds()[kind].servers.size()) * best.bound;
    for (const Configuration& configuration : best.found) {
      double gain = -prices[items + kind];
      for (const size_t item : configuration.items) {
        gain += static_cast<double>(problem_.items()[item].pay_micros) -
                prices[item];
      }
      if (gain > kLeastGain) {
        AddColumn(kind, configuration.items);
      }
    }
  }
  return total * (1 + kRounding);
}

// The program's own prices leap about until it knows enough configurations, so
// costs stay near the best so far (Wentges 1997).
double Columns::Generate(std::vector<double> costs,
                         const std::function<bool()>& expired) {
  const std::vector<double> no_prices(program_.limits.size(), 0);
  double bound = Price(costs, no_prices);
  double inertia = kInertia;
  std::vector<double> tried = costs;
  while (!expired() && !program_.columns.empty()) {
    const ProgramAnswer answer =
        solver_.SolveContinuous(program_, kLongestProgramS);
    if (!answer.optimal) {
      break;
    }
    for (size_t i = 0; i < costs.size(); ++i) {
      tried[i] = inertia * costs[i] + (1 - inertia) * answer.prices[i];
    }
    const size_t known = program_.columns.size();
    const double here = Price(tried, answer.prices);
    const bool closer = here < bound * (1 - kEnough);
    if (here < bound) {
      bound = here;
      costs = tried;
    }
    if (program_.columns.size() == known && !closer && inertia == 0) {
      break;
    }
    if (program_.columns.size() == known && !closer) {
      inertia = inertia > kLeastInertia ? inertia / 2 : 0;
    } else if (closer) {
      inertia = std::min(kInertia, inertia + kInertiaStep);
    } else if (inertia > kLeastLearning) {
      inertia -= kInertiaStep;
    }
  }
  costs_ = std::move(costs);
  return bound;
}

std::vector<ServerLoad> Columns::Combine(double seconds) {
  const ProgramAnswer answer = solver_.SolveWhole(program_, seconds);
  std::vector<ServerLoad> servers;
  if (answer.x.empty()) {
    return servers;
  }
  servers = EmptyServers(problem_);
  std::vector<size_t> used(problem_.kinds().size(), 0);
  for (size_t c = 0; c < configurations_.size(); ++c) {
    const auto& [kind, items] = configurations_[c];
    const auto& members = problem_.kinds()[kind].servers;
    if (answer.x[c] > 0.5 && used[kind] < members.size()) {
      ServerLoad& server = servers[members[used[kind]++]];
      for (const size_t item : items) {
        server.Add(item);
      }
    }
  }
  return servers;
}

}  // namespace edgewise::orchestration
