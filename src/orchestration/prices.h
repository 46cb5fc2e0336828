// Prices: what pressure and memory are worth on servers below each ceiling,
// and the bound on any revenue that follows from them.
//
// Servers of one kind that end up between the same two ceilings are
// interchangeable, so they are counted, not told apart. A linear program finds
// good prices, on a sample of the requests if there are many; the bound is then
// summed up over all requests and is one whatever the prices are.
#ifndef EDGEWISE_ORCHESTRATION_PRICES_H_
#define EDGEWISE_ORCHESTRATION_PRICES_H_

#include <functional>
#include <vector>

#include "orchestration/problem.h"
#include "orchestration/solver.h"

namespace edgewise::orchestration {

// Servers of a kind whose common pressure is above `above` and at most
// `ceiling`.
struct PriceClass {
  size_t kind = 0;
  double above = 0;
  double ceiling = 0;
  double per_pressure = 0;
  double per_byte = 0;
  double servers = 0;  // that the program would have there
};

struct Prices {
  std::vector<PriceClass> classes;
};

// At first about `ceilings` classes a kind; then those that servers are in are
// halved, those that stay empty are joined, and it is solved again, unless
// `expired` by then.
Prices FindPrices(const Problem& problem, Solver& solver, size_t sample,
                  size_t ceilings, double seconds,
                  const std::function<bool()>& expired);

// What the item earns beyond its cost in the best class, at least 0.
double Surplus(const Problem& problem, const Prices& prices, size_t item);
// No placement earns more, whatever the prices.
double RevenueBound(const Problem& problem, const Prices& prices);

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_PRICES_H_
