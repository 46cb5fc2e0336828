#include "orchestration/baselines.h"

#include <algorithm>
#include <numeric>

#include "orchestration/best_configuration.h"

namespace edgewise::orchestration {
namespace {

// Trimaran's default for TargetLoadPacking.
constexpr double kTargetLoad = 0.4;
constexpr size_t kCeilings = 40;

// By rank: the part of a server that the item keeps busy.
std::vector<double> Shares(const Problem& problem, size_t item) {
  std::vector<double> shares(problem.ranks(), 0);
  for (const ServerKind& kind : problem.kinds()) {
    shares[kind.rank] = problem.predictor().BusyShare(
        problem.items()[item].load,
        problem.instance().servers[kind.servers[0]].rank);
  }
  return shares;
}

// With the item.
double UsedMemory(const Problem& problem, const ServerLoad& server,
                  size_t item) {
  return static_cast<double>(server.memory_bytes() +
                             problem.items()[item].memory_bytes) /
         static_cast<double>(problem.kinds()[server.kind()].memory_bytes);
}

// The larger the better; 100 is the best load.
double TargetLoadScore(double load) {
  return load <= kTargetLoad ? 40 + 60 * load / kTargetLoad
                             : 40 * std::max(0.0, 1 - load) / (1 - kTargetLoad);
}

std::vector<ServerLoad> PlaceInTurn(Baseline baseline, const Problem& problem) {
  std::vector<ServerLoad> servers = EmptyServers(problem);
  std::vector<double> busy(servers.size(), 0);
  std::vector<double> shares;
  // Of a server as it would be with the item.
  const auto score = [&](size_t s, size_t item) {
    const double load = std::min(1.0, busy[s] + shares[problem.RankOf(s)]);
    switch (baseline) {
      case Baseline::kBestFit:
        return -static_cast<double>(servers[s].free_memory_bytes());
      case Baseline::kLeastAllocated:
        return -(UsedMemory(problem, servers[s], item) + load) / 2;
      case Baseline::kLoadAware:
        return TargetLoadScore(load);
      default:
        return 0.0;
    }
  };
  for (size_t item = 0; item < problem.items().size(); ++item) {
    shares = Shares(problem, item);
    size_t best = servers.size();
    double best_score = 0;
    for (size_t s = 0; s < servers.size(); ++s) {
      if (!servers[s].CanAdd(item)) {
        continue;
      }
      if (const double at = score(s, item);
          best == servers.size() || at > best_score) {
        best = s;
        best_score = at;
      }
      if (baseline == Baseline::kFirstFit) {
        break;
      }
    }
    if (best < servers.size()) {
      servers[best].Add(item);
      busy[best] += shares[problem.RankOf(best)];
    }
  }
  return servers;
}

// For one ceiling of a kind: who bears it, best pay for its share of the
// server first.
struct RelaxedOrder {
  double ceiling = 0;
  std::vector<std::pair<size_t, double>> items;  // and their shares
};

std::vector<RelaxedOrder> RelaxedOrders(const Problem& problem, size_t kind) {
  const size_t rank = problem.kinds()[kind].rank;
  const auto memory = static_cast<double>(problem.kinds()[kind].memory_bytes);
  std::vector<size_t> all(problem.items().size());
  std::iota(all.begin(), all.end(), 0);
  std::vector<RelaxedOrder> orders;
  for (const double ceiling : Ceilings(problem, rank, all, kCeilings)) {
    RelaxedOrder order{ceiling, {}};
    for (const size_t item : all) {
      if (problem.CommonTolerance(rank, item) >= ceiling &&
          problem.FitsAlone(kind, item)) {
        const double pressure =
            ceiling > 0 ? problem.CommonPressure(rank, item) / ceiling : 0;
        const double part =
            static_cast<double>(problem.items()[item].memory_bytes) / memory;
        order.items.emplace_back(item, std::max({pressure, part, 1e-12}));
      }
    }
    std::sort(order.items.begin(), order.items.end(),
              [&problem](const auto& a, const auto& b) {
                const auto pay = [&problem](size_t item) {
                  return static_cast<double>(problem.items()[item].pay_micros);
                };
                return pay(a.first) * b.second > pay(b.first) * a.second;
              });
    orders.push_back(std::move(order));
  }
  return orders;
}

// What the relaxed problem earns under one ceiling.
double RelaxedWorth(const Problem& problem, const RelaxedOrder& order,
                    const std::vector<bool>& placed) {
  double room = 1;
  double worth = 0;
  for (const auto& [item, share] : order.items) {
    if (placed[item]) {
      continue;
    }
    const double part = std::min(1.0, room / share);
    worth += part * static_cast<double>(problem.items()[item].pay_micros);
    room -= part * share;
    if (room <= 0) {
      break;
    }
  }
  return worth;
}

std::vector<ServerLoad> RelaxAndRound(const Problem& problem) {
  std::vector<ServerLoad> servers = EmptyServers(problem);
  std::vector<bool> placed(problem.items().size(), false);
  std::vector<std::vector<RelaxedOrder>> orders;
  for (size_t kind = 0; kind < problem.kinds().size(); ++kind) {
    orders.push_back(RelaxedOrders(problem, kind));
  }
  for (ServerLoad& server : servers) {
    RelaxedOrder* best = nullptr;
    double best_worth = 0;
    for (RelaxedOrder& order : orders[server.kind()]) {
      const double worth = RelaxedWorth(problem, order, placed);
      if (worth > best_worth) {
        best_worth = worth;
        best = &order;
      }
    }
    if (best == nullptr) {
      continue;
    }
    for (const auto& [item, share] : best->items) {
      if (!placed[item] && server.CanAdd(item)) {
        server.Add(item);
        placed[item] = true;
      }
    }
    std::erase_if(best->items,
                  [&placed](const auto& entry) { return placed[entry.first]; });
  }
  return servers;
}

}  // namespace

std::string_view BaselineName(Baseline baseline) {
  switch (baseline) {
    case Baseline::kFirstFit:
      return "first-fit";
    case Baseline::kBestFit:
      return "best-fit";
    case Baseline::kLeastAllocated:
      return "least-allocated";
    case Baseline::kLoadAware:
      return "load-aware";
    case Baseline::kRelaxAndRound:
      return "relax-and-round";
  }
  return "";
}

std::vector<ServerLoad> PlaceBy(Baseline baseline, const Problem& problem) {
  return baseline == Baseline::kRelaxAndRound ? RelaxAndRound(problem)
                                              : PlaceInTurn(baseline, problem);
}

}  // namespace edgewise::orchestration
