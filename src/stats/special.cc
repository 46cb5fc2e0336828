#include "stats/special.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

namespace edgewise::stats {
namespace {

constexpr double kTiny = 1e-300;
constexpr double kTolerance = 1e-15;
constexpr int kMaxIterations = 200'000;

// Solves increasing(x) = target by bisection, widening [low, high] upwards
// until it brackets the answer.
template <typename Function>
double Bisect(const Function& increasing, double target, double low,
              double high) {
  while (increasing(high) < target && high < 1e300) high *= 2;
  for (int i = 0; i < 200; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (increasing(middle) < target ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

double BetaFraction(double a, double b, double x) {
  double c = 1;
  double d = 1 - (a + b) * x / (a + 1);
  if (std::abs(d) < kTiny) d = kTiny;
  d = 1 / d;
  double fraction = d;
  const auto step = [&](double coefficient) {
    d = 1 + coefficient * d;
    if (std::abs(d) < kTiny) d = kTiny;
    c = 1 + coefficient / c;
    if (std::abs(c) < kTiny) c = kTiny;
    d = 1 / d;
    fraction *= d * c;
    return d * c;
  };
  for (int m = 1; m < kMaxIterations; ++m) {
    step(m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)));
    const double change =
        step(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)));
    if (std::abs(change - 1) < kTolerance) break;
  }
  return fraction;
}

}  // namespace

double NormalCdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

double NormalQuantile(double probability) {
  assert(probability > 0 && probability < 1);
  if (probability > 0.5) return -NormalQuantile(1 - probability);
  // A start from the tail's leading term, then Halley's iteration.
  double x = probability > 0.2 ? (probability - 0.5) * 2.5
                               : -std::sqrt(-2 * std::log(probability));
  for (int i = 0; i < 50; ++i) {
    const double density =
        std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
    const double newton = (NormalCdf(x) - probability) / density;
    const double step = newton / (1 + x * newton / 2);
    x -= step;
    if (std::abs(step) < 1e-14 * (1 + std::abs(x))) break;
  }
  return x;
}

double IncompleteBeta(double a, double b, double x) {
  assert(a > 0 && b > 0 && x >= 0 && x <= 1);
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double log_front = std::lgamma(a + b) - std::lgamma(a) -
                           std::lgamma(b) + a * std::log(x) +
                           b * std::log1p(-x);
  const double front = std::exp(log_front);
  if (x < (a + 1) / (a + b + 2)) return front * BetaFraction(a, b, x) / a;
  return 1 - front * BetaFraction(b, a, 1 - x) / b;
}

double IncompleteGamma(double a, double x) {
  assert(a > 0 && x >= 0);
  if (x <= 0) return 0;
  const double front = std::exp(a * std::log(x) - x - std::lgamma(a));
  if (x < a + 1) {
    double term = 1 / a;
    double sum = term;
    for (int i = 1; i < kMaxIterations && term > sum * kTolerance; ++i) {
      term *= x / (a + i);
      sum += term;
    }
    return front * sum;
  }
  double b = x + 1 - a;
  double c = 1 / kTiny;
  double d = 1 / b;
  double fraction = d;
  for (int i = 1; i < kMaxIterations; ++i) {
    const double coefficient = -i * (i - a);
    b += 2;
    d = coefficient * d + b;
    if (std::abs(d) < kTiny) d = kTiny;
    c = b + coefficient / c;
    if (std::abs(c) < kTiny) c = kTiny;
    d = 1 / d;
    fraction *= d * c;
    if (std::abs(d * c - 1) < kTolerance) break;
  }
  return 1 - front * fraction;
}

double StudentTCdf(double t, double degrees) {
  assert(degrees > 0);
  const double tail =
      0.5 * IncompleteBeta(degrees / 2, 0.5, degrees / (degrees + t * t));
  return t > 0 ? 1 - tail : tail;
}

double StudentTQuantile(double probability, double degrees) {
  assert(probability > 0 && probability < 1 && degrees > 0);
  if (probability < 0.5) return -StudentTQuantile(1 - probability, degrees);
  return Bisect([&](double t) { return StudentTCdf(t, degrees); }, probability,
                0, 4);
}

double ChiSquareQuantile(double probability, double degrees) {
  assert(probability > 0 && probability < 1 && degrees > 0);
  return Bisect([&](double x) { return IncompleteGamma(degrees / 2, x / 2); },
                probability, 0, 2 * degrees);
}

}  // namespace edgewise::stats
