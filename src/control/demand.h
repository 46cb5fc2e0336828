// Demand: how many cores one app needs for its goal, learned while it runs.
//
// Feed-forward: CPU time of an item times the items that are promised; from
// the card before anything is measured. Feedback: a factor on top that grows
// at once while the goal is missed for want of CPU, and shrinks slowly while it
// is met with ease, but not to where that has failed before.
#ifndef EDGEWISE_CONTROL_DEMAND_H_
#define EDGEWISE_CONTROL_DEMAND_H_

#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "control/observation.h"

namespace edgewise::control {

// What the app had when it was observed.
struct Granted {
  std::optional<double> quota_cores;
  bool gives_way = false;  // it gets less than it needs, and that is known
};

// Times are CLOCK_MONOTONIC. Not thread-safe.
class Demand {
 public:
  // Below this ratio a goal counts as met with ease, and CPU may be taken back.
  static constexpr double kEasy = 0.75;
  static constexpr int64_t kTakeBackEveryNs = 90 * kNsPerSecond;

  explicit Demand(int64_t now_ns) : since_ns_(now_ns) {}

  void Observe(const AppObservation& app, const Granted& granted,
               int64_t now_ns);

  // Cores for its goal, with headroom; nullopt while nothing is known.
  std::optional<double> cores() const { return cores_; }
  // Of one item; nullopt while nothing is known.
  std::optional<double> cpu_s_per_item() const { return cost_s_; }
  // The last one; nullopt while it is not measured.
  std::optional<double> miss_ratio() const { return miss_ratio_; }
  // The goal is missed, and not for want of CPU.
  bool cpu_does_not_help() const { return cpu_does_not_help_; }
  // Its work has become another one (a knob was turned): what was corrected
  // for the old one says nothing about it.
  void BeginOtherWork();

 private:
  void LearnCost(const AppObservation& app, int64_t now_ns);
  void Correct(const AppObservation& app, const Granted& granted,
               int64_t now_ns);
  std::optional<double> FeedForward(const AppObservation& app) const;

  int64_t since_ns_;
  std::optional<double> cost_s_;
  std::optional<double> items_per_s_;
  double correction_ = 1;
  double least_correction_ = 0.5;  // lower ones have failed
  int64_t next_raise_ns_ = 0;
  int64_t easy_since_ns_ = 0;
  int64_t lowered_ns_ = 0;
  double before_lowering_ = 1;
  std::optional<double> cores_;
  std::optional<double> miss_ratio_;
  bool cpu_does_not_help_ = false;
};

}  // namespace edgewise::control

#endif  // EDGEWISE_CONTROL_DEMAND_H_
