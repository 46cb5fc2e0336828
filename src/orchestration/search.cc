#include "orchestration/search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "orchestration/best_configuration.h"

namespace edgewise::orchestration {
namespace {

constexpr size_t kMostOutside = 60;  // unplaced items considered in a round
constexpr SearchEffort kEffort{12, 300};

}  // namespace

Search::Search(const Problem& problem, std::vector<ServerLoad> servers,
               WorthOf worth, uint64_t seed)
    : problem_(problem),
      servers_(std::move(servers)),
      worth_(std::move(worth)),
      random_(seed),
      by_density_(problem.items().size()),
      placed_(problem.items().size(), false) {
  std::iota(by_density_.begin(), by_density_.end(), 0);
  std::sort(by_density_.begin(), by_density_.end(), [&](size_t a, size_t b) {
    const auto density = [&](size_t i) {
      return static_cast<double>(problem.items()[i].pay_micros) /
             (problem.CommonPressure(0, i) + 1e-30);
    };
    return density(a) > density(b);
  });
  SetPlaced();
}

void Search::SetPlaced() {
  std::fill(placed_.begin(), placed_.end(), false);
  worth_total_ = 0;
  for (size_t s = 0; s < servers_.size(); ++s) {
    for (const size_t item : servers_[s].items()) {
      placed_[item] = true;
    }
    worth_total_ += Worth(s);
  }
}

double Search::Worth(size_t server) const {
  double worth = 0;
  for (const size_t item : servers_[server].items()) {
    worth += worth_(item, server);
  }
  return worth;
}

void Search::Fill() {
  for (const size_t item : by_density_) {
    if (placed_[item]) {
      continue;
    }
    for (size_t s = 0; s < servers_.size(); ++s) {
      if (servers_[s].CanAdd(item) && worth_(item, s) > 0) {
        servers_[s].Add(item);
        placed_[item] = true;
        worth_total_ += worth_(item, s);
        break;
      }
    }
  }
}

// Some of the unplaced, those with the best pay for their pressure more often.
std::vector<size_t> Search::Outside() const {
  std::vector<size_t> all;
  for (const size_t item : by_density_) {
    if (!placed_[item]) {
      all.push_back(item);
    }
  }
  return all;
}

void Search::Rebuild(const std::vector<size_t>& chosen) {
  std::vector<size_t> pool;
  for (const size_t s : chosen) {
    for (const size_t item : servers_[s].items()) {
      pool.push_back(item);
      placed_[item] = false;
    }
  }
  const std::vector<size_t> outside = Outside();
  for (size_t k = 0; k < std::min(kMostOutside, outside.size()); ++k) {
    const double skewed = random_.Uniform() * random_.Uniform();
    pool.push_back(outside[static_cast<size_t>(
        skewed * static_cast<double>(outside.size()))]);
  }
  std::sort(pool.begin(), pool.end());
  pool.erase(std::unique(pool.begin(), pool.end()), pool.end());
  std::vector<double> values(problem_.items().size(), 0);
  for (const size_t s : chosen) {
    servers_[s].Clear();
    // What others would gain more from is left to them, but not by the last.
    const bool weighs = !costs_.empty() && s != chosen.back();
    const double weight = weighs ? random_.Uniform() : 0;
    for (const size_t item : pool) {
      values[item] = worth_(item, s) - (weighs ? weight * costs_[item] : 0.0);
    }
    const ConfigurationAnswer best =
        BestConfiguration(problem_, servers_[s].kind(), pool, values, kEffort);
    if (!best.found.empty()) {
      for (const size_t item : best.found.back().items) {
        servers_[s].Add(item);
        placed_[item] = true;
      }
    }
    std::erase_if(pool, [this](size_t item) { return placed_[item]; });
  }
  if (!costs_.empty()) {
    FillUp(chosen, pool);
  }
}

void Search::FillUp(const std::vector<size_t>& chosen,
                    const std::vector<size_t>& pool) {
  for (const size_t item : pool) {
    for (const size_t s : chosen) {
      if (!placed_[item] && servers_[s].CanAdd(item) && worth_(item, s) > 0) {
        servers_[s].Add(item);
        placed_[item] = true;
      }
    }
  }
}

void Search::Restore(const std::vector<size_t>& chosen,
                     const std::vector<ServerLoad>& before) {
  for (const size_t s : chosen) {
    for (const size_t item : servers_[s].items()) {
      placed_[item] = false;
    }
  }
  for (size_t k = 0; k < chosen.size(); ++k) {
    servers_[chosen[k]] = before[k];
    for (const size_t item : before[k].items()) {
      placed_[item] = true;
    }
  }
}

void Search::TakeBest() {
  if (best_worth_ > worth_total_) {
    servers_ = best_servers_;
    SetPlaced();
  }
  best_worth_ = -1;
  best_servers_.clear();
}

int Search::Improve(int rounds, double temperature) {
  int better = 0;
  for (int round = 0; round < rounds && !servers_.empty(); ++round) {
    std::vector<size_t> chosen;
    const size_t count =
        std::min<size_t>(servers_.size(), 1 + random_.Below(3));
    while (chosen.size() < count) {
      const size_t s = random_.Below(servers_.size());
      if (std::find(chosen.begin(), chosen.end(), s) == chosen.end()) {
        chosen.push_back(s);
      }
    }
    std::vector<ServerLoad> before;
    double worth_before = 0;
    for (const size_t s : chosen) {
      before.push_back(servers_[s]);
      worth_before += Worth(s);
    }
    Rebuild(chosen);
    double worth_after = 0;
    for (const size_t s : chosen) {
      worth_after += Worth(s);
    }
    const double slack =
        temperature > 0 ? -temperature * std::log(random_.Uniform()) : 0;
    if (worth_after < worth_before - slack) {
      Restore(chosen, before);
      continue;
    }
    better += worth_after > worth_before ? 1 : 0;
    if (worth_after < worth_before && worth_total_ > best_worth_) {
      best_worth_ = worth_total_;
      best_servers_ = servers_;
      for (size_t k = 0; k < chosen.size(); ++k) {
        best_servers_[chosen[k]] = before[k];
      }
    }
    worth_total_ += worth_after - worth_before;
  }
  return better;
}

}  // namespace edgewise::orchestration
