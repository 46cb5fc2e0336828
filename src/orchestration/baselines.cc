#include "orchestration/baselines.h"

#include <algorithm>
#include <numeric>

#include "orchestration/best_configuration.h"

namespace edgewise::orchestration {
namespace {

// Trimaran's default for TargetLoadPacking.
constexpr double kTargetLoad = 0.4;
constexpr size_t kCeilings = 40;

double Busy(const Problem& problem, const ServerLoad& server, size_t s) {
  double busy = 0;
  for (const size_t item : server.items()) {
    busy += problem.predictor().BusyShare(problem.items()[item].load,
                                          problem.instance().servers[s].rank);
  }
  return busy;
}

double UsedMemory(const Problem& problem, const ServerLoad& server) {
  return static_cast<double>(server.memory_bytes()) /
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
  const auto score = [&](size_t s) {
    switch (baseline) {
      case Baseline::kBestFit:
        return -static_cast<double>(servers[s].free_memory_bytes());
      case Baseline::kLeastAllocated:
        return -(UsedMemory(problem, servers[s]) + std::min(1.0, busy[s])) / 2;
      case Baseline::kLoadAware:
        return TargetLoadScore(std::min(1.0, busy[s]));
      default:
        return 0.0;
    }
  };
  for (size_t item = 0; item < problem.items().size(); ++item) {
    size_t best = servers.size();
    double best_score = 0;
    for (size_t s = 0; s < servers.size(); ++s) {
      if (!servers[s].CanAdd(item)) {
        continue;
      }
      if (const double at = score(s);
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
      busy[best] = Busy(problem, servers[best], best);
    }
  }
  return servers;
}

// Items of one server by how much of each the relaxed problem takes: all that
// bear the best ceiling, best pay for its share of the server first.
std::vector<size_t> Relax(const Problem& problem, size_t kind,
                          const std::vector<size_t>& left) {
  const size_t rank = problem.kinds()[kind].rank;
  const auto memory = static_cast<double>(problem.kinds()[kind].memory_bytes);
  std::vector<size_t> best;
  double best_worth = 0;
  for (const double ceiling : Ceilings(problem, rank, left, kCeilings)) {
    std::vector<std::pair<double, size_t>> order;
    const auto weight = [&](size_t item) {
      return std::max(
          ceiling > 0 ? problem.CommonPressure(rank, item) / ceiling : 0,
          static_cast<double>(problem.items()[item].memory_bytes) / memory);
    };
    for (const size_t item : left) {
      if (problem.CommonTolerance(rank, item) >= ceiling &&
          problem.FitsAlone(kind, item)) {
        order.emplace_back(
            -static_cast<double>(problem.items()[item].pay_micros) /
                (weight(item) + 1e-30),
            item);
      }
    }
    std::sort(order.begin(), order.end());
    double room = 1;
    double worth = 0;
    for (const auto& [density, item] : order) {
      const double part = std::min(1.0, room / (weight(item) + 1e-30));
      worth += part * static_cast<double>(problem.items()[item].pay_micros);
      room -= part * weight(item);
      if (room <= 0) {
        break;
      }
    }
    if (worth > best_worth) {
      best_worth = worth;
      best.clear();
      for (const auto& [density, item] : order) {
        best.push_back(item);
      }
    }
  }
  return best;
}

std::vector<ServerLoad> RelaxAndRound(const Problem& problem) {
  std::vector<ServerLoad> servers = EmptyServers(problem);
  std::vector<size_t> left(problem.items().size());
  std::iota(left.begin(), left.end(), 0);
  std::vector<bool> placed(left.size(), false);
  for (ServerLoad& server : servers) {
    for (const size_t item : Relax(problem, server.kind(), left)) {
      if (server.CanAdd(item)) {
        server.Add(item);
        placed[item] = true;
      }
    }
    std::erase_if(left, [&placed](size_t item) { return placed[item]; });
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
