// Columns: whole servers with what stands on them, priced and combined.
//
// A linear program chooses among known configurations; its prices ask
// BestConfiguration for better ones. Whatever the prices, the sum of what items
// cost and what the best server of each kind would gain is a bound on any
// revenue.
#ifndef EDGEWISE_ORCHESTRATION_COLUMNS_H_
#define EDGEWISE_ORCHESTRATION_COLUMNS_H_

#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "orchestration/best_configuration.h"
#include "orchestration/server_load.h"
#include "orchestration/solver.h"

namespace edgewise::orchestration {

class Columns {
 public:
  // Both must outlive this.
  Columns(const Problem& problem, Solver& solver);

  // The configurations of a placement.
  void Add(const std::vector<ServerLoad>& servers);
  // Adds configurations until none can improve the program, or `expired` says
  // so. `costs` of items are where to begin; good ones save rounds. Hands back
  // the least bound so far, in micros.
  double Generate(std::vector<double> costs,
                  const std::function<bool()>& expired);
  // What items cost where that bound was found.
  const std::vector<double>& costs() const { return costs_; }
  // The best placement made of the configurations, within `seconds`; empty if
  // none was found.
  std::vector<ServerLoad> Combine(double seconds);

 private:
  void AddColumn(size_t kind, const std::vector<size_t>& items);
  // The bound that follows from what items cost. Adds configurations that
  // would improve the program whose prices are given.
  double Price(const std::vector<double>& costs,
               const std::vector<double>& prices);

  const Problem& problem_;
  Solver& solver_;
  std::vector<size_t> all_items_;
  LinearProgram program_;
  std::vector<double> costs_;
  std::vector<std::pair<size_t, std::vector<size_t>>> configurations_;
  std::set<std::pair<size_t, std::vector<size_t>>> known_;  // items sorted
};

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_COLUMNS_H_
