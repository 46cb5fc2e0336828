// The few special functions that the rest of the room needs and <cmath> lacks.
//
// All are accurate to at least ten significant digits over the ranges used
// here (probabilities in [1e-12, 1 - 1e-12], up to 1e8 degrees of freedom).
#ifndef EDGEWISE_STATS_SPECIAL_H_
#define EDGEWISE_STATS_SPECIAL_H_

namespace edgewise::stats {

// Distribution function of the standard normal distribution.
double NormalCdf(double x);
// Its inverse; 0 < probability < 1.
double NormalQuantile(double probability);

// Regularised incomplete beta function I_x(a, b) for a, b > 0 and x in [0, 1],
// by its continued fraction (Lentz 1976).
double IncompleteBeta(double a, double b, double x);
// Regularised lower incomplete gamma function P(a, x) for a > 0, x >= 0, by
// series below a + 1 and continued fraction above.
double IncompleteGamma(double a, double x);

// Distribution function of Student's t with `degrees` > 0 (may be fractional,
// as Welch's are), and its inverse for 0 < probability < 1.
double StudentTCdf(double t, double degrees);
double StudentTQuantile(double probability, double degrees);

// Inverse of the chi-square distribution function with `degrees` > 0.
double ChiSquareQuantile(double probability, double degrees);

}  // namespace edgewise::stats

#endif  // EDGEWISE_STATS_SPECIAL_H_
