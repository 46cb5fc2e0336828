// What a controller sees of the node and its apps at one moment, and what it
// wants of them. Values only.
#ifndef EDGEWISE_CONTROL_OBSERVATION_H_
#define EDGEWISE_CONTROL_OBSERVATION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "control/goals.h"

namespace edgewise::control {

// A knob as the app has declared it.
struct KnobState {
  std::string name;
  double least = 0;
  double most = 0;
  double value = 0;  // in force
};

struct AppObservation {
  uint64_t id = 0;
  std::string name;  // "car-tracker/0"
  AppGoal goal;
  // Why nothing may be changed about it ("a kubelet owns its cgroup"); empty
  // if it may.
  std::string only_observed;
  std::optional<double> cpu_cores;  // used since the moment before
  // How often its quota has held it up of late: share of periods.
  std::optional<double> throttled_share;
  // What the goal is about, over about two seconds, in the bound's unit.
  std::optional<double> measured;
  // Of what the goal is about: how many there were each second.
  std::optional<double> items_per_s;
  std::optional<int64_t> working_set_bytes;
  std::vector<KnobState> knobs;
  // What its card says that it needs; nullopt without one.
  std::optional<double> card_cores;
};

struct NodeObservation {
  int64_t now_ns = 0;  // CLOCK_MONOTONIC
  int cores = 1;
  std::optional<double> hottest_c;
  std::optional<int64_t> available_memory_bytes;
  std::vector<AppObservation> apps;
};

// What one app is to have. Nothing where nothing is to be set.
struct AppSetting {
  uint64_t id = 0;
  std::optional<double> quota_cores;
  // Over which the quota is counted: short for goals that are.
  int64_t quota_period_us = 100'000;
  std::optional<int64_t> shares;  // as cpu.shares of cgroup v1: 1024 is usual
  std::vector<int> cpus;
  std::optional<int> nice;  // where there is no cgroup to set the above
  std::optional<int64_t> memory_bytes;
  std::vector<std::pair<std::string, double>> knobs;

  bool operator==(const AppSetting&) const = default;
};

}  // namespace edgewise::control

#endif  // EDGEWISE_CONTROL_OBSERVATION_H_
