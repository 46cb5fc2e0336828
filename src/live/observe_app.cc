#include "live/observe_app.h"

#include <algorithm>

#include "base/clock.h"
#include "base/text.h"
#include "control/limit_group.h"

namespace edgewise::live {
namespace {

// Above what a card says an app needs on average.
constexpr double kCardHeadroom = 1.2;
// What an app used longer ago says nothing about now.
constexpr int64_t kFreshNs = 4 * kNsPerSecond;
// A rate that is reported at each event is counted, which is exact, also where
// events come in bursts. One that is reported more seldom than this, and than
// a part of what it says, is an app's own figure.
constexpr double kSeldomPerS = 5;
constexpr double kTicks = 0.3;

const LiveMetric* Find(const LiveApp& app, const std::string& name,
                       std::initializer_list<EventKind> kinds) {
  for (const EventKind kind : kinds) {
    const auto found = app.metrics.find({kind, name});
    if (found != app.metrics.end()) {
      return found->second.get();
    }
  }
  return nullptr;
}

// The span or job that is recorded most.
const LiveMetric* MainSpan(const LiveApp& app, int64_t now_ns) {
  const LiveMetric* most = nullptr;
  uint64_t count = 0;
  for (const auto& [key, metric] : app.metrics) {
    if (!metric->is_duration()) {
      continue;
    }
    const uint64_t here = metric->rolling()
                              .Read(Window::k1min, now_ns, Intervals::kWithout)
                              .count;
    if (most == nullptr || here > count) {
      most = metric.get();
      count = here;
    }
  }
  return most;
}

std::optional<double> RateOf(const LiveMetric& metric,
                             const WindowFigures& figures) {
  if (metric.kind() == EventKind::kRate && figures.p50 && figures.rate_per_s &&
      *figures.rate_per_s < kSeldomPerS &&
      *figures.rate_per_s < kTicks * figures.p50->value) {
    return figures.p50->value;
  }
  if (metric.kind() == EventKind::kGauge) {
    return metric.last();
  }
  return figures.rate_per_s;
}

std::optional<double> QuantileOf(double quantile,
                                 const WindowFigures& figures) {
  const auto& estimate = quantile == 0.5    ? figures.p50
                         : quantile == 0.95 ? figures.p95
                                            : figures.p99;
  return estimate ? std::optional(estimate->value) : std::nullopt;
}

}  // namespace

GoalFigures FiguresFor(const control::Goal& goal, const LiveApp& app,
                       int64_t now_ns) {
  using control::GoalKind;
  const LiveMetric* metric = nullptr;
  switch (goal.kind) {
    case GoalKind::kRate:
      metric = Find(app, goal.metric.empty() ? "fps" : goal.metric,
                    {EventKind::kRate, EventKind::kJob, EventKind::kSpan,
                     EventKind::kGauge});
      metric = metric == nullptr && goal.metric.empty() ? MainSpan(app, now_ns)
                                                        : metric;
      break;
    case GoalKind::kQuantile:
      metric = Find(app, goal.metric, {EventKind::kJob, EventKind::kSpan});
      break;
    case GoalKind::kValue:
      metric = Find(app, goal.metric,
                    {EventKind::kGauge, EventKind::kRate, EventKind::kCounter});
      break;
  }
  if (metric == nullptr) {
    return {};
  }
  const WindowFigures figures =
      metric->rolling().Read(Window::k2s, now_ns, Intervals::kWithout);
  GoalFigures found;
  found.items_per_s = figures.rate_per_s;
  switch (goal.kind) {
    case GoalKind::kRate:
      found.measured = RateOf(*metric, figures);
      found.items_per_s = found.measured;
      break;
    case GoalKind::kQuantile: {
      found.measured = QuantileOf(goal.quantile, figures);
      // One that does not end cannot be counted, and is late all the same.
      const auto age = static_cast<double>(now_ns - metric->last_ns());
      if (!found.measured && age > goal.bound) {
        found.measured = age;
      }
      break;
    }
    case GoalKind::kValue:
      found.measured = metric->last();
      break;
  }
  return found;
}

std::optional<double> CardCores(const Card& card,
                                const std::optional<control::Goal>& goal) {
  if (card.resources && card.resources->target.cpu_cores) {
    return card.resources->target.cpu_cores;
  }
  if (goal && goal->kind == control::GoalKind::kRate && card.avg_ms) {
    return *card.avg_ms / 1e3 * goal->bound * kCardHeadroom;
  }
  if (card.cpu_share_percent) {
    return *card.cpu_share_percent / 100 * kCardHeadroom;
  }
  return std::nullopt;
}

std::string WhyOnlyObserved(const LiveApp& app) {
  const auto cgroup =
      TryReadFile("/proc/" + std::to_string(app.pid) + "/cgroup");
  if (!cgroup) {
    return "Its process cannot be seen from here";
  }
  if (!app.identity.pod.empty() || control::IsKubeletGroup(*cgroup)) {
    return "A kubelet owns its cgroup";
  }
  return "";
}

control::AppObservation ObserveApp(const LiveApp& app,
                                   const control::AppGoal& goal,
                                   const Card* card, int64_t now_ns) {
  control::AppObservation seen;
  seen.id = app.id;
  seen.name = app.identity.name + "/" + app.identity.instance;
  seen.goal = goal;
  if (app.reading && now_ns - app.reading->at_ns < kFreshNs) {
    if (app.reading->cpu_percent) {
      seen.cpu_cores = *app.reading->cpu_percent / 100;
    }
    seen.working_set_bytes = app.reading->working_set_bytes;
  }
  if (goal.goal) {
    const GoalFigures figures = FiguresFor(*goal.goal, app, now_ns);
    seen.measured = figures.measured;
    seen.items_per_s = figures.items_per_s;
  }
  if (card != nullptr) {
    seen.card_cores = CardCores(*card, goal.goal);
  }
  return seen;
}

}  // namespace edgewise::live
