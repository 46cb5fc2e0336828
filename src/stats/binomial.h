// The binomial distribution, exact to about twelve digits for n up to 1e8.
#ifndef EDGEWISE_STATS_BINOMIAL_H_
#define EDGEWISE_STATS_BINOMIAL_H_

#include <cstdint>

namespace edgewise::stats {

// P(Bin(n, p) = k) for 0 < p < 1, by the saddle-point expansion of Loader
// (2000), which does not lose digits to the cancellation of large logarithms.
// 0 for k outside [0, n].
double BinomialPmf(int64_t k, int64_t n, double p);

// P(Bin(n, p) <= k): the sum of the terms of the nearer tail, O(sqrt(n)).
double BinomialCdf(int64_t k, int64_t n, double p);

// The smallest k in [0, n] with P(Bin(n, p) <= k) >= probability, for
// 0 < probability < 1.
int64_t BinomialQuantile(double probability, int64_t n, double p);

}  // namespace edgewise::stats

#endif  // EDGEWISE_STATS_BINOMIAL_H_
