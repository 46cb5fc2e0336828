// Tests of the assumptions behind an extrapolation: a number is given only if
// they pass.
#ifndef EDGEWISE_STATS_GATES_H_
#define EDGEWISE_STATS_GATES_H_

#include <cstddef>
#include <span>

namespace edgewise::stats {

// A statistic and the value it must not exceed at the 5% level.
struct GateStatistic {
  double statistic = 0;
  double critical = 0;
  bool passed() const { return statistic <= critical; }
};

// Independence: Q = n (n + 2) sum of rho_k^2 / (n - k) over `lags` lags against
// the chi-square distribution (Ljung and Box 1978). Needs size > lags >= 1. A
// series without spread passes with statistic 0.
GateStatistic LjungBox(std::span<const double> series, size_t lags);

// Level stationarity: the sum of squared partial sums of deviations from the
// mean over n^2 times the long-run variance, Bartlett window of
// 12 (n / 100)^(1/4) lags; critical value 0.463 (Kwiatkowski, Phillips, Schmidt
// and Shin 1992). A series without spread passes with statistic 0.
GateStatistic Kpss(std::span<const double> series);

// The distance A^2 between ascending probabilities F(x(1)), ..., F(x(n)) of a
// fitted distribution and the uniform distribution (Anderson and Darling
// 1954). Its critical value depends on what was fitted; see extreme.h.
double AndersonDarling(std::span<const double> probabilities);

}  // namespace edgewise::stats

#endif  // EDGEWISE_STATS_GATES_H_
