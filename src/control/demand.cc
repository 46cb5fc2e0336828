#include "control/demand.h"

#include <algorithm>

namespace edgewise::control {
namespace {

// More than is computed, for what varies from item to item.
constexpr double kHeadroom = 1.2;
// A quota just as large as the load would let a queue grow for ever.
constexpr double kLatencyHeadroom = 1.3;
// How much of a new figure is believed at once.
constexpr double kLearning = 0.35;
// One that says a quarter more, or more at all while the goal is missed, is a
// change of load, not noise.
constexpr double kFastLearning = 0.7;
constexpr double kJump = 1.25;
// What is measured lags by the length of its window.
constexpr int64_t kWindowNs = 5 * kNsPerSecond / 2;
constexpr double kMostRaise = 1.6;
constexpr double kLeastRaise = 1.1;
constexpr double kMostCorrection = 4;
// Latency explodes as a quota comes near the load: less is not tried.
constexpr double kLeastForLatency = 0.9;
constexpr double kEasyForLatency = 0.5;
constexpr double kRateLearning = 0.1;
constexpr double kLowering = 0.85;
// A quota that is used to this share is what holds the app up.
constexpr double kLimited = 0.85;
constexpr double kThrottled = 0.1;
constexpr int64_t kLoweringFailsWithinNs = 60 * kNsPerSecond;
// Before that an app is starting, and says nothing about its usual work.
constexpr int64_t kSettleNs = 2 * kNsPerSecond;

bool IsLimited(const AppObservation& app, const Granted& granted) {
  if (!granted.quota_cores) {
    return true;  // whatever holds it up, a share of its own helps
  }
  return (app.cpu_cores && *app.cpu_cores >= kLimited * *granted.quota_cores) ||
         app.throttled_share.value_or(0) > kThrottled;
}

}  // namespace

void Demand::BeginOtherWork() {
  correction_ = 1;
  least_correction_ = 0.5;
}

void Demand::LearnCost(const AppObservation& app, int64_t now_ns) {
  if (!app.cpu_cores || !app.items_per_s || *app.items_per_s <= 0 ||
      now_ns - since_ns_ < kSettleNs) {
    return;
  }
  const double cost_s = *app.cpu_cores / *app.items_per_s;
  const bool missed =
      app.measured && MissRatio(*app.goal.goal, *app.measured) > 1;
  const bool jump = cost_s_ && cost_s > (missed ? 1 : kJump) * *cost_s_;
  const double share = jump ? kFastLearning : kLearning;
  cost_s_ = cost_s_ ? *cost_s_ + share * (cost_s - *cost_s_) : cost_s;
  // After a jam many come at once: that is not how many there are to come.
  const double more = *app.items_per_s - items_per_s_.value_or(0);
  items_per_s_ =
      items_per_s_ ? *items_per_s_ + kRateLearning * more : *app.items_per_s;
}

std::optional<double> Demand::FeedForward(const AppObservation& app) const {
  const Goal& goal = *app.goal.goal;
  if (!cost_s_) {
    return app.card_cores;
  }
  switch (goal.kind) {
    case GoalKind::kRate:
      return *cost_s_ * goal.bound * kHeadroom;
    case GoalKind::kQuantile: {
      // Enough for the items that come, and for one of them in its time.
      const double in_time = *cost_s_ / (goal.bound / 1e9);
      return kLatencyHeadroom *
             std::max(*cost_s_ * items_per_s_.value_or(0), in_time);
    }
    case GoalKind::kValue:
      break;
  }
  return app.cpu_cores ? std::optional(*app.cpu_cores * kHeadroom)
                       : app.card_cores;
}

void Demand::Correct(const AppObservation& app, const Granted& granted,
                     int64_t now_ns) {
  const double ratio = MissRatio(*app.goal.goal, *app.measured);
  miss_ratio_ = ratio;
  cpu_does_not_help_ = false;
  if (ratio > 1) {
    easy_since_ns_ = 0;
    if (granted.gives_way) {
      return;
    }
    if (!IsLimited(app, granted)) {
      cpu_does_not_help_ = true;
      return;
    }
    if (lowered_ns_ != 0 && now_ns - lowered_ns_ < kLoweringFailsWithinNs) {
      correction_ = before_lowering_;
      least_correction_ = before_lowering_;
      lowered_ns_ = 0;
      next_raise_ns_ = now_ns + kWindowNs;
    } else if (now_ns >= next_raise_ns_) {
      correction_ =
          std::min(kMostCorrection,
                   correction_ * std::clamp(ratio, kLeastRaise, kMostRaise));
      next_raise_ns_ = now_ns + kWindowNs;
    }
    return;
  }
  const bool latency = app.goal.goal->kind == GoalKind::kQuantile;
  const double least = latency ? std::max(kLeastForLatency, least_correction_)
                               : least_correction_;
  if (ratio > (latency ? kEasyForLatency : kEasy) ||
      correction_ * kLowering < least) {
    easy_since_ns_ = 0;
    return;
  }
  if (easy_since_ns_ == 0) {
    easy_since_ns_ = now_ns;
  }
  if (now_ns - easy_since_ns_ >= kTakeBackEveryNs) {
    before_lowering_ = correction_;
    correction_ *= kLowering;
    lowered_ns_ = now_ns;
    easy_since_ns_ = now_ns;
  }
}

void Demand::Observe(const AppObservation& app, const Granted& granted,
                     int64_t now_ns) {
  LearnCost(app, now_ns);
  if (app.measured && now_ns - since_ns_ >= kSettleNs) {
    Correct(app, granted, now_ns);
  } else {
    miss_ratio_.reset();
  }
  if (const auto cores = FeedForward(app)) {
    cores_ = *cores * correction_;
  }
}

}  // namespace edgewise::control
