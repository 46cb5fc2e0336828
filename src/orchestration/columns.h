// Columns: whole servers with what stands on them, priced and combined.
//
// A linear program chooses among known configurations; its prices ask
// BestConfiguration for better ones. Whatever the prices, the sum of what items
// cost and what the best server of each kind would gain is a bound on any
// revenue.
#ifndef EDGEWISE_ORCHESTRATION_COLUMNS_H_
#define EDGEWISE_ORCHESTRATION_COLUMNS_H_

#include <functional>
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
  // so. The least bound so far, in micros; `bound` must be one.
  double Generate(double bound, const std::function<bool()>& expired);
  // The best placement made of the configurations, within `seconds`; empty if
  // none was found.
  std::vector<ServerLoad> Combine(double seconds);

 private:
  void AddColumn(size_t kind, const std::vector<size_t>& items);
  // What items cost and the bound that follows. True if columns were added.
  bool Price(const ProgramAnswer& answer, double& bound);

  const Problem& problem_;
  Solver& solver_;
  std::vector<size_t> all_items_;
  LinearProgram program_;
  std::vector<std::pair<size_t, std::vector<size_t>>> configurations_;
};

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_COLUMNS_H_
