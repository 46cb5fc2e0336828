#include "orchestration/server_costs.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "orchestration/best_configuration.h"

namespace edgewise::orchestration {
namespace {

constexpr SearchEffort kEffort{12, 300, false};

ServerCosts ClassesBy(
    const Problem& problem,
    const std::function<std::pair<double, double>(const Server&)>& costs) {
  // By kind, fixed cost and cost of a busy server.
  std::map<std::tuple<size_t, double, double>, size_t> index;
  ServerCosts all;
  for (size_t s = 0; s < problem.instance().servers.size(); ++s) {
    const Server& server = problem.instance().servers[s];
    const auto [fixed, busy] = costs(server);
    const auto [at, added] = index.emplace(
        std::tuple(problem.KindOf(s), fixed, busy), all.classes.size());
    if (added) {
      CostClass made{problem.KindOf(s), fixed, {}, {}};
      for (const Item& item : problem.items()) {
        made.per_item.push_back(
            busy == 0
                ? 0
                : busy * problem.predictor().BusyShare(item.load, server.rank));
      }
      all.classes.push_back(std::move(made));
    }
    all.classes[at->second].servers.push_back(s);
    all.class_of.push_back(at->second);
  }
  return all;
}

}  // namespace

double ServerCosts::Of(size_t server, const std::vector<size_t>& items) const {
  if (items.empty()) {
    return 0;
  }
  const CostClass& at = classes[class_of[server]];
  double cost = at.fixed;
  for (const size_t item : items) {
    cost += at.per_item[item];
  }
  return cost;
}

double ServerCosts::Total(const std::vector<ServerLoad>& servers) const {
  double total = 0;
  for (size_t s = 0; s < servers.size(); ++s) {
    total += Of(s, servers[s].items());
  }
  return total;
}

ServerCosts CountingServers(const Problem& problem) {
  return ClassesBy(problem, [](const Server&) { return std::pair(1.0, 0.0); });
}

ServerCosts CountingWatts(const Problem& problem) {
  return ClassesBy(problem, [](const Server& server) {
    const double idle = server.idle_watts.value_or(0);
    return std::pair(idle, std::max(0.0, server.busy_watts.value_or(0) - idle));
  });
}

CostSearch::CostSearch(const Problem& problem, const ServerCosts& costs,
                       std::vector<ServerLoad> servers, uint64_t seed)
    : problem_(problem),
      costs_(costs),
      servers_(std::move(servers)),
      random_(seed) {
  double memory = 1;
  double pressure = 1e-30;
  for (size_t i = 0; i < problem.items().size(); ++i) {
    memory += static_cast<double>(problem.items()[i].memory_bytes);
    pressure += problem.CommonPressure(0, i);
  }
  for (size_t i = 0; i < problem.items().size(); ++i) {
    sizes_.push_back(problem.CommonPressure(0, i) / pressure +
                     static_cast<double>(problem.items()[i].memory_bytes) /
                         memory);
  }
  cost_ = costs.Total(servers_);
}

double CostSearch::Size(size_t item) const { return sizes_[item]; }

// Two to four servers, the first with rather little on it; now and then one of
// them is empty, and others may be cheaper.
std::vector<size_t> CostSearch::Choose() {
  std::vector<size_t> used;
  std::vector<size_t> empty;
  for (size_t s = 0; s < servers_.size(); ++s) {
    (servers_[s].items().empty() ? empty : used).push_back(s);
  }
  std::vector<size_t> chosen;
  if (used.empty()) {
    return chosen;
  }
  const size_t count = std::min<size_t>(used.size(), 2 + random_.Below(3));
  while (chosen.size() < count) {
    const size_t s = used[random_.Below(used.size())];
    if (std::find(chosen.begin(), chosen.end(), s) == chosen.end()) {
      chosen.push_back(s);
    }
  }
  if (!empty.empty() && random_.Below(4) == 0) {
    chosen.push_back(empty[random_.Below(empty.size())]);
  }
  // Cheap ones are filled first, mostly.
  std::sort(chosen.begin(), chosen.end(), [this](size_t a, size_t b) {
    return costs_.classes[costs_.class_of[a]].fixed <
           costs_.classes[costs_.class_of[b]].fixed;
  });
  if (random_.Below(2) == 0) {
    std::swap(chosen[random_.Below(chosen.size())],
              chosen[random_.Below(chosen.size())]);
  }
  return chosen;
}

// Whether all of the pool found a place.
bool CostSearch::Refill(const std::vector<size_t>& chosen,
                        std::vector<size_t> pool) {
  std::vector<double> values(problem_.items().size(), 0);
  for (const size_t item : pool) {
    values[item] = Size(item) * (0.7 + 0.6 * random_.Uniform());
  }
  for (const size_t s : chosen) {
    const ConfigurationAnswer best =
        BestConfiguration(problem_, servers_[s].kind(), pool, values, kEffort);
    if (best.found.empty()) {
      continue;
    }
    for (const size_t item : best.found.back().items) {
      servers_[s].Add(item);
      pool.erase(std::find(pool.begin(), pool.end(), item));
    }
  }
  for (const size_t item : pool) {
    bool placed = false;
    for (size_t s = 0; s < servers_.size() && !placed; ++s) {
      // Only servers that others stand on already are restored with ease.
      if (std::find(chosen.begin(), chosen.end(), s) != chosen.end() &&
          servers_[s].CanAdd(item)) {
        servers_[s].Add(item);
        placed = true;
      }
    }
    if (!placed) {
      return false;
    }
  }
  return true;
}

void CostSearch::Improve(int rounds) {
  for (int round = 0; round < rounds; ++round) {
    const std::vector<size_t> chosen = Choose();
    if (chosen.size() < 2) {
      return;
    }
    std::vector<ServerLoad> before;
    std::vector<size_t> pool;
    double cost_before = 0;
    double fullness_before = 0;
    const auto fullness = [this](size_t s) {
      double sum = 0;
      for (const size_t item : servers_[s].items()) {
        sum += Size(item);
      }
      return sum * sum;
    };
    for (const size_t s : chosen) {
      before.push_back(servers_[s]);
      pool.insert(pool.end(), servers_[s].items().begin(),
                  servers_[s].items().end());
      cost_before += costs_.Of(s, servers_[s].items());
      fullness_before += fullness(s);
      servers_[s].Clear();
    }
    bool better = Refill(chosen, std::move(pool));
    if (better) {
      double cost = 0;
      double full = 0;
      for (const size_t s : chosen) {
        cost += costs_.Of(s, servers_[s].items());
        full += fullness(s);
      }
      // As cheap, but less evenly spread, brings an empty server nearer.
      better = cost < cost_before - 1e-9 ||
               (cost <= cost_before + 1e-9 && full >= fullness_before);
      if (better) {
        cost_ += cost - cost_before;
      }
    }
    for (size_t k = 0; k < chosen.size() && !better; ++k) {
      servers_[chosen[k]] = before[k];
    }
  }
}

}  // namespace edgewise::orchestration
