#include "stress/rated_work.h"

#include <algorithm>
#include <array>
#include <limits>
#include <thread>

#include "base/clock.h"

namespace edgewise {
namespace {

constexpr size_t kWindows = 5;
constexpr int64_t kWindowNs = 50 * kNsPerMs;

// Bytes a second of all pieces together.
double RateOf(const StopClock& stop, double per_s, const RatedWork& work) {
  const double each_per_s = per_s / static_cast<double>(work.pieces.size());
  std::vector<double> done(work.pieces.size());
  const int64_t begin_ns = MonotonicNs();
  std::vector<std::thread> others;
  for (size_t i = 1; i < work.pieces.size(); ++i) {
    others.emplace_back([&stop, each_per_s, &work, &done, i] {
      done[i] = DoAtRate(stop, each_per_s, work.pieces[i]);
    });
  }
  done[0] = DoAtRate(stop, each_per_s, work.pieces[0]);
  double bytes = done[0];
  for (size_t i = 1; i < work.pieces.size(); ++i) {
    others[i - 1].join();
    bytes += done[i];
  }
  const auto wall_s = static_cast<double>(MonotonicNs() - begin_ns) / 1e9;
  return wall_s > 0 ? bytes / wall_s : 0;
}

}  // namespace

StressOutcome ApplyRate(const StopClock& stop, double dial_percent,
                        const RatedWork& work) {
  StressOutcome outcome;
  if (dial_percent <= 0) {
    stop.SleepUntil(stop.deadline_ns());
    outcome.applied = true;
    outcome.figures.push_back({work.name, "bytes/s", 0, 0});
    return outcome;
  }
  constexpr double kNoRest = std::numeric_limits<double>::infinity();
  // The middle one of several: a burst cannot be kept up, and others may be
  // busy at times.
  std::array<double, kWindows> rates_per_s{};
  for (double& rate_per_s : rates_per_s) {
    rate_per_s = RateOf(stop.Within(kWindowNs), kNoRest, work);
  }
  std::sort(rates_per_s.begin(), rates_per_s.end());
  const double most_per_s = rates_per_s[kWindows / 2];
  const double asked_per_s = most_per_s * dial_percent / 100;
  const double rate_per_s =
      RateOf(stop, dial_percent < 100 ? asked_per_s : kNoRest, work);
  outcome.figures.push_back({work.name, "bytes/s", asked_per_s, rate_per_s});
  outcome.figures.push_back(
      {"most there can be", "bytes/s", std::nullopt, most_per_s});
  outcome.applied = rate_per_s > 0 && rate_per_s >= kReachedShare * asked_per_s;
  if (!outcome.applied) {
    outcome.reason = work.hint;
  }
  return outcome;
}

}  // namespace edgewise
