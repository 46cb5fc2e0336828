#include "prediction/conformal.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace edgewise {
namespace {

constexpr size_t kLeastGroups = 10;
constexpr size_t kLeastMisses = 100;

// The order statistic at rank `share` of (n + 1), within the sample.
double AtShare(const std::vector<double>& sorted, double share) {
  const double rank = share * static_cast<double>(sorted.size() + 1);
  const double last = static_cast<double>(sorted.size());
  return sorted[static_cast<size_t>(std::clamp(std::ceil(rank), 1.0, last)) -
                1];
}

}  // namespace

std::optional<IntervalWidth> ConformalWidth(const std::vector<Miss>& misses,
                                            double coverage) {
  std::set<std::string> groups;
  std::vector<double> errors;
  for (const Miss& miss : misses) {
    groups.insert(miss.group);
    errors.push_back(miss.log_error);
  }
  if (groups.size() < kLeastGroups || errors.size() < kLeastMisses) {
    return std::nullopt;
  }
  std::sort(errors.begin(), errors.end());
  const double tail = (1 - coverage) / 2;
  // A prediction too high needs room below it.
  return IntervalWidth{std::max(0.0, AtShare(errors, 1 - tail)),
                       std::max(0.0, -AtShare(errors, tail))};
}

std::optional<double> CrossCoverage(const std::vector<Miss>& misses,
                                    double coverage) {
  std::set<std::string> groups;
  for (const Miss& miss : misses) {
    groups.insert(miss.group);
  }
  double within = 0;
  for (const std::string& group : groups) {
    std::vector<Miss> others;
    for (const Miss& miss : misses) {
      if (miss.group != group) {
        others.push_back(miss);
      }
    }
    const auto width = ConformalWidth(others, coverage);
    if (!width) {
      return std::nullopt;
    }
    for (const Miss& miss : misses) {
      if (miss.group == group && miss.log_error <= width->below &&
          -miss.log_error <= width->above) {
        ++within;
      }
    }
  }
  return misses.empty()
             ? std::nullopt
             : std::optional(within / static_cast<double>(misses.size()));
}

}  // namespace edgewise
