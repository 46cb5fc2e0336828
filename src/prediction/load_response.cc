#include "prediction/load_response.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "prediction/metrics.h"

namespace edgewise {
namespace {

// A machine at rest is never quite idle.
constexpr double kMostIdlePercent = 20;
// Loads this near are one knot.
constexpr double kKnotPercent = 10;
// Of a predicted slowdown no more than a factor of a thousand is believed.
const double kMostLogSlowdown = std::log(1000.0);
constexpr double kFullErrorPercent = 25;

// One measurement under load, against the same without.
struct Slowdown {
  std::string network;
  bool one_thread = false;
  double load_percent = 0;
  double log_ratio = 0;
};

std::vector<Slowdown> FindSlowdowns(const std::vector<LoadRow>& rows) {
  std::map<std::tuple<std::string, std::string, int>,
           std::vector<const LoadRow*>>
      groups;
  for (const LoadRow& row : rows) {
    groups[{row.device, row.network, row.threads}].push_back(&row);
  }
  std::vector<Slowdown> slowdowns;
  for (const auto& [key, group] : groups) {
    const LoadRow& idle = **std::min_element(
        group.begin(), group.end(), [](const LoadRow* a, const LoadRow* b) {
          return a->load_percent < b->load_percent;
        });
    if (idle.load_percent > kMostIdlePercent) {
      continue;
    }
    for (const LoadRow* row : group) {
      if (row->load_percent > idle.load_percent) {
        slowdowns.push_back({row->network, row->threads == 1, row->load_percent,
                             std::log(row->mean_ms / idle.mean_ms)});
      }
    }
  }
  return slowdowns;
}

// Means of neighbouring loads, pooled until they rise.
LoadCurve FitCurve(std::vector<Slowdown> points) {
  LoadCurve curve;
  if (points.empty()) {
    return curve;
  }
  std::sort(points.begin(), points.end(),
            [](const Slowdown& a, const Slowdown& b) {
              return a.load_percent < b.load_percent;
            });
  struct Block {
    double load_sum = 0;
    double ratio_sum = 0;
    double count = 0;
    double first_load = 0;
    double Mean() const { return ratio_sum / count; }
  };
  std::vector<Block> blocks;
  for (const Slowdown& point : points) {
    if (blocks.empty() ||
        point.load_percent - blocks.back().first_load > kKnotPercent) {
      blocks.push_back({0, 0, 0, point.load_percent});
    }
    blocks.back().load_sum += point.load_percent;
    blocks.back().ratio_sum += point.log_ratio;
    blocks.back().count += 1;
  }
  std::vector<Block> rising;
  for (Block block : blocks) {
    while (!rising.empty() && rising.back().Mean() >= block.Mean()) {
      block.load_sum += rising.back().load_sum;
      block.ratio_sum += rising.back().ratio_sum;
      block.count += rising.back().count;
      rising.pop_back();
    }
    rising.push_back(block);
  }
  curve.load_percent = {0};
  curve.log_slowdown = {0};
  for (const Block& block : rising) {
    const double load = block.load_sum / block.count;
    if (load > 0) {
      curve.load_percent.push_back(load);
      curve.log_slowdown.push_back(std::max(block.Mean(), 0.0));
    }
  }
  return curve;
}

LoadResponse FitCurves(const std::vector<Slowdown>& points) {
  LoadResponse response;
  std::vector<Slowdown> one;
  std::vector<Slowdown> more;
  for (const Slowdown& point : points) {
    (point.one_thread ? one : more).push_back(point);
    response.most_load_percent =
        std::max(response.most_load_percent, point.load_percent);
  }
  response.one_thread = FitCurve(std::move(one));
  response.more_threads = FitCurve(std::move(more));
  response.rows = static_cast<int64_t>(points.size());
  return response;
}

// The quantile that holds for the next one: with n misses the k-th least,
// k = ceil((n + 1) * coverage); nullopt where there are too few for that.
std::optional<double> ErrorOf(const std::vector<Slowdown>& points) {
  std::set<std::string> networks;
  for (const Slowdown& point : points) {
    networks.insert(point.network);
  }
  if (networks.size() < 2) {
    return std::nullopt;
  }
  std::vector<double> misses;
  for (const std::string& network : networks) {
    std::vector<Slowdown> others;
    for (const Slowdown& point : points) {
      if (point.network != network) {
        others.push_back(point);
      }
    }
    const LoadResponse fit = FitCurves(others);
    for (const Slowdown& point : points) {
      if (point.network == network) {
        misses.push_back(std::abs(
            point.log_ratio -
            fit.LogSlowdown(point.load_percent, point.one_thread ? 1 : 2)));
      }
    }
  }
  std::sort(misses.begin(), misses.end());
  const auto rank = static_cast<size_t>(
      std::ceil(static_cast<double>(misses.size() + 1) * kIntervalCoverage));
  return rank <= misses.size() ? std::optional(misses[rank - 1]) : std::nullopt;
}

}  // namespace

double LoadCurve::At(double percent) const {
  assert(load_percent.size() >= 2 &&
         log_slowdown.size() == load_percent.size());
  size_t i = 1;
  while (i + 1 < load_percent.size() && load_percent[i] < percent) {
    ++i;
  }
  const double share =
      (percent - load_percent[i - 1]) / (load_percent[i] - load_percent[i - 1]);
  const double log_ratio =
      log_slowdown[i - 1] + share * (log_slowdown[i] - log_slowdown[i - 1]);
  return std::clamp(log_ratio, 0.0, kMostLogSlowdown);
}

double LoadResponse::LogSlowdown(double percent, int threads) const {
  const LoadCurve& wanted = threads == 1 ? one_thread : more_threads;
  const LoadCurve& other = threads == 1 ? more_threads : one_thread;
  return (wanted.load_percent.empty() ? other : wanted).At(percent);
}

std::optional<double> LoadResponse::LogError(double percent) const {
  if (percent <= 0) {
    return 0;
  }
  return log_error_90
             ? std::optional(*log_error_90 *
                             std::min(1.0, percent / kFullErrorPercent))
             : std::nullopt;
}

std::optional<LoadResponse> FitLoad(const std::vector<LoadRow>& rows) {
  const std::vector<Slowdown> points = FindSlowdowns(rows);
  if (points.empty()) {
    return std::nullopt;
  }
  LoadResponse response = FitCurves(points);
  response.log_error_90 = ErrorOf(points);
  return response;
}

}  // namespace edgewise
