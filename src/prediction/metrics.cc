#include "prediction/metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "stats/random.h"

namespace edgewise {
namespace {

constexpr int kPicks = 200000;
constexpr uint64_t kSeed = 1;
constexpr size_t kLeastForRanks = 5;

double Mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    sum += value;
  }
  return sum / static_cast<double>(values.size());
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half]
                                : (values[half - 1] + values[half]) / 2;
}

// Ranks from 0; equal values share the mean of theirs.
std::vector<double> Ranks(const std::vector<double>& values) {
  std::vector<size_t> order(values.size());
  for (size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (size_t i = 0; i < order.size();) {
    size_t end = i;
    while (end < order.size() && values[order[end]] == values[order[i]]) {
      ++end;
    }
    for (size_t j = i; j < end; ++j) {
      ranks[order[j]] = static_cast<double>(i + end - 1) / 2;
    }
    i = end;
  }
  return ranks;
}

std::optional<double> Correlation(const std::vector<double>& a,
                                  const std::vector<double>& b) {
  const double mean_a = Mean(a);
  const double mean_b = Mean(b);
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  if (aa <= 0 || bb <= 0) {
    return std::nullopt;
  }
  return ab / std::sqrt(aa * bb);
}

using ByNetwork = std::map<size_t, std::vector<const Forecast*>>;

std::optional<double> RankCorrelation(const ByNetwork& networks) {
  std::vector<double> correlations;
  for (const auto& [network, forecasts] : networks) {
    if (forecasts.size() < kLeastForRanks) {
      continue;
    }
    std::vector<double> actual;
    std::vector<double> predicted;
    for (const Forecast* forecast : forecasts) {
      actual.push_back(forecast->actual_log_ms);
      predicted.push_back(forecast->predicted_log_ms);
    }
    if (const auto r = Correlation(Ranks(actual), Ranks(predicted))) {
      correlations.push_back(*r);
    }
  }
  return correlations.empty() ? std::nullopt
                              : std::optional(Mean(correlations));
}

// Draws three runs of different devices, then a network that was forecast on
// all three, and picks the run that is predicted to be fastest.
void JudgePicks(const std::vector<Forecast>& forecasts, Metrics& metrics) {
  std::map<size_t, std::map<size_t, const Forecast*>> by_run;
  for (const Forecast& forecast : forecasts) {
    by_run[forecast.run][forecast.network] = &forecast;
  }
  std::vector<const std::map<size_t, const Forecast*>*> runs;
  for (const auto& [run, of_run] : by_run) {
    runs.push_back(&of_run);
  }
  stats::Random random(kSeed);
  int picks = 0;
  int right = 0;
  double lost = 0;
  for (int i = 0; i < kPicks; ++i) {
    const auto& a = *runs[random.Below(runs.size())];
    const auto& b = *runs[random.Below(runs.size())];
    const auto& c = *runs[random.Below(runs.size())];
    const std::set<std::string> devices = {a.begin()->second->device,
                                           b.begin()->second->device,
                                           c.begin()->second->device};
    std::vector<size_t> shared;
    for (const auto& [network, forecast] : a) {
      if (b.contains(network) && c.contains(network)) {
        shared.push_back(network);
      }
    }
    if (devices.size() < 3 || shared.empty()) {
      continue;
    }
    const size_t network = shared[random.Below(shared.size())];
    const std::array<const Forecast*, 3> three = {a.at(network), b.at(network),
                                                  c.at(network)};
    const Forecast* named = *std::min_element(
        three.begin(), three.end(), [](const Forecast* x, const Forecast* y) {
          return x->predicted_log_ms < y->predicted_log_ms;
        });
    const double fastest =
        std::min({three[0]->actual_log_ms, three[1]->actual_log_ms,
                  three[2]->actual_log_ms});
    ++picks;
    right += named->actual_log_ms <= fastest ? 1 : 0;
    lost += std::exp(named->actual_log_ms - fastest) - 1;
  }
  if (picks >= kPicks / 10) {
    metrics.fastest_of_3 = static_cast<double>(right) / picks;
    metrics.regret = lost / picks;
  }
}

}  // namespace

Metrics Judge(const std::vector<Forecast>& forecasts) {
  Metrics metrics;
  metrics.forecasts = static_cast<int64_t>(forecasts.size());
  if (forecasts.empty()) {
    return metrics;
  }
  std::vector<double> errors;
  std::vector<Miss> misses;
  ByNetwork networks;
  for (const Forecast& forecast : forecasts) {
    const double error = forecast.predicted_log_ms - forecast.actual_log_ms;
    errors.push_back(std::abs(std::exp(error) - 1));
    misses.push_back({error, forecast.group});
    networks[forecast.network].push_back(&forecast);
  }
  const auto within = [&](double limit) {
    return static_cast<double>(
               std::count_if(errors.begin(), errors.end(),
                             [&](double e) { return e <= limit; })) /
           static_cast<double>(errors.size());
  };
  metrics.mape = Mean(errors);
  metrics.median_ape = Median(errors);
  metrics.within_10 = within(0.1);
  metrics.within_20 = within(0.2);
  metrics.rank_correlation = RankCorrelation(networks);
  JudgePicks(forecasts, metrics);
  metrics.width = ConformalWidth(misses, kIntervalCoverage);
  metrics.coverage = CrossCoverage(misses, kIntervalCoverage);
  return metrics;
}

}  // namespace edgewise
