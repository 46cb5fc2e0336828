// What one server should hold if each item had a given value.
#ifndef EDGEWISE_ORCHESTRATION_BEST_CONFIGURATION_H_
#define EDGEWISE_ORCHESTRATION_BEST_CONFIGURATION_H_

#include <vector>

#include "orchestration/problem.h"

namespace edgewise::orchestration {

struct Configuration {
  std::vector<size_t> items;
  double value = 0;
};

struct ConfigurationAnswer {
  // Each better than those before it; the last is the best.
  std::vector<Configuration> found;
  // No configuration that keeps its promises is worth more.
  double bound = 0;
};

struct SearchEffort {
  size_t ceilings = 24;
  int steps = 1000;  // a knapsack is searched to its end or for so many steps
  bool tight_bound = false;  // costs a tenth of a millisecond a ceiling
};

// Searches among `candidates` for a server of a kind. Servers are told apart by
// the total pressure that they end up with: below each of a number of ceilings
// only items that bear the ceiling before it can stand there, which makes the
// rest a knapsack.
ConfigurationAnswer BestConfiguration(const Problem& problem, size_t kind,
                                      const std::vector<size_t>& candidates,
                                      const std::vector<double>& values,
                                      const SearchEffort& effort);

// Ceilings of a kind, rising, the last at the largest tolerance: between two of
// them lie the tolerances of about as many items everywhere.
std::vector<double> Ceilings(const Problem& problem, size_t rank,
                             const std::vector<size_t>& items, size_t most);

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_BEST_CONFIGURATION_H_
