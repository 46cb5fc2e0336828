#include "orchestration/columns.h"

#include <algorithm>
#include <numeric>

namespace edgewise::orchestration {
namespace {

constexpr int kSteps = 20'000;
constexpr double kLongestProgramS = 5;
// Improvements below a hundred-thousandth of the bound are not worth a round.
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

bool Columns::Price(const ProgramAnswer& answer, double& bound) {
  const size_t items = problem_.items().size();
  std::vector<double> values(items);
  double total = 0;
  for (size_t i = 0; i < items; ++i) {
    total += answer.prices[i];
    values[i] =
        static_cast<double>(problem_.items()[i].pay_micros) - answer.prices[i];
  }
  bool added = false;
  for (size_t kind = 0; kind < problem_.kinds().size(); ++kind) {
    const ConfigurationAnswer best =
        BestConfiguration(problem_, kind, all_items_, values, kSteps);
    const auto servers =
        static_cast<double>(problem_.kinds()[kind].servers.size());
    total += servers * best.bound;
    for (const Configuration& configuration : best.found) {
      if (configuration.value >
          answer.prices[items + kind] + kEnough * bound / servers) {
        AddColumn(kind, configuration.items);
        added = true;
      }
    }
  }
  bound = std::min(bound, total * (1 + 1e-9));
  return added;
}

double Columns::Generate(double bound, const std::function<bool()>& expired) {
  while (!expired() && !program_.columns.empty()) {
    const ProgramAnswer answer =
        solver_.SolveContinuous(program_, kLongestProgramS);
    if (!answer.optimal || !Price(answer, bound)) {
      break;
    }
  }
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
