// Shares of samples: intervals of one, and of the difference of two.
#ifndef EDGEWISE_STATS_PROPORTION_H_
#define EDGEWISE_STATS_PROPORTION_H_

#include <span>
#include <vector>

namespace edgewise::stats {

struct Interval {
  double low = 0;
  double high = 0;
};

// Wilson's score interval (1927) of a share seen as `hits` of `n` > 0 samples;
// neither need be whole, as effective numbers are not. Within [0, 1].
Interval WilsonInterval(double hits, double n, double confidence = 0.95);

// Newcombe's hybrid score interval (1998, method 10) of share B - share A.
Interval ShareDifferenceInterval(double hits_a, double n_a, double hits_b,
                                 double n_b, double confidence = 0.95);

// The probability of a difference at least this large where there is none: the
// two-sided score test with pooled variance. 1 where nothing varies.
double ShareDifferencePValue(double hits_a, double n_a, double hits_b,
                             double n_b);

// Holm's step-down adjustment (1979): with these in place of `p_values`, the
// chance of any false finding among all of them is at most the level.
std::vector<double> HolmAdjusted(std::span<const double> p_values);

}  // namespace edgewise::stats

#endif  // EDGEWISE_STATS_PROPORTION_H_
