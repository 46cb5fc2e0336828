// ServerCosts: what it costs that a server is not empty, and what each item on
// it adds.
#ifndef EDGEWISE_ORCHESTRATION_SERVER_COSTS_H_
#define EDGEWISE_ORCHESTRATION_SERVER_COSTS_H_

#include <functional>
#include <vector>

#include "orchestration/server_load.h"
#include "orchestration/solver.h"
#include "stats/random.h"

namespace edgewise::orchestration {

// Servers that are alike, also in what they cost.
struct CostClass {
  size_t kind = 0;
  double fixed = 0;              // if anything stands on it
  std::vector<double> per_item;  // by item
  std::vector<size_t> servers;
};

struct ServerCosts {
  std::vector<CostClass> classes;
  std::vector<size_t> class_of;  // by server

  double Of(size_t server, const std::vector<size_t>& items) const;
  double Total(const std::vector<ServerLoad>& servers) const;
};

// Each server that is not empty counts 1.
ServerCosts CountingServers(const Problem& problem);
// Watts: idle, and what the busy share adds. Every server must state both.
ServerCosts CountingWatts(const Problem& problem);

// Makes a placement cheaper, always with the same items, by emptying a few
// servers and filling one after the other as far as it goes.
class CostSearch {
 public:
  // Both must outlive this.
  CostSearch(const Problem& problem, const ServerCosts& costs,
             std::vector<ServerLoad> servers, uint64_t seed);
  void Improve(int rounds);
  const std::vector<ServerLoad>& servers() const { return servers_; }
  double cost() const { return cost_; }

 private:
  std::vector<size_t> Choose();
  bool Refill(const std::vector<size_t>& chosen, std::vector<size_t> pool);
  double Size(size_t item) const;

  const Problem& problem_;
  const ServerCosts& costs_;
  std::vector<ServerLoad> servers_;
  stats::Random random_;
  std::vector<double> sizes_;
  double cost_ = 0;
};

// No placement of all of `items` costs less, in a class's unit. Whatever each
// item is said to be worth, its sum less what the best servers gain is a bound
// (weak duality); a linear program looks for good worths where there are few
// items and there is a solver (may be null).
double CostBound(const Problem& problem, const ServerCosts& costs,
                 const std::vector<size_t>& items, Solver* solver,
                 const std::function<bool()>& expired);

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_SERVER_COSTS_H_
