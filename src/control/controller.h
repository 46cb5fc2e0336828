// Controller: decides what each app of a node gets so that all keep their
// goals, or as many as weigh most.
//
// The room `control` turns goals and what is observed into settings and
// decisions, and carries settings out so that they can be undone
// (actuator.h). The deciding half is pure: time and observations are arguments,
// nothing is read or changed. docs/control.md describes the policy.
#ifndef EDGEWISE_CONTROL_CONTROLLER_H_
#define EDGEWISE_CONTROL_CONTROLLER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "control/allocate.h"
#include "control/decision.h"
#include "control/goals.h"
#include "control/heat.h"
#include "control/memory_limits.h"
#include "control/observation.h"
#include "control/quota_hold.h"

namespace edgewise::control {

struct ControlStep {
  std::vector<AppSetting> settings;  // of every app that may be changed
  std::vector<Decision> decisions;   // without utc_ns; in order
};

// What is shown of an app beside its settings.
struct AppControlState {
  bool under_control = false;
  std::optional<double> quota_cores;
  std::optional<double> wanted_cores;
  std::optional<double> miss_ratio;  // above 1: missed
  bool gives_way = false;
  std::vector<std::pair<std::string, double>> knobs;
  std::optional<int64_t> memory_bytes;
};

// Not thread-safe.
class Controller {
 public:
  explicit Controller(NodeLimits node);
  ~Controller();

  // Meant to be called about once a second. Apps that are not there any more
  // are forgotten.
  ControlStep Step(const NodeObservation& node);

  AppControlState StateOf(uint64_t app_id) const;
  // Of the last step.
  double capacity_cores() const { return capacity_cores_; }
  double wanted_cores() const { return wanted_cores_; }
  double left_cores() const { return left_cores_; }

 private:
  struct App;

  void Join(const NodeObservation& node, ControlStep* step);
  AppNeed NeedOf(App& app, const NodeObservation& node) const;
  void NoteWay(const AppObservation& seen, App& app, const AppGrant& grant,
               ControlStep* step);
  void NoteNoHelp(const AppObservation& seen, App& app, int64_t now_ns,
                  ControlStep* step);
  void TurnKnobs(App& app, const AppObservation& seen, const AppGrant& grant,
                 const NodeObservation& node, ControlStep* step);
  void SetQuota(const AppObservation& seen, const QuotaWish& wish,
                const NodeObservation& node, ControlStep* step);
  void SetQuotas(const NodeObservation& node, const Allocation& allocation,
                 ControlStep* step);
  void SetMemory(const NodeObservation& node, ControlStep* step);
  Decision DecisionOn(DecisionKind kind, const AppObservation& seen,
                      const App& app) const;
  AppSetting SettingOf(const AppObservation& seen, const App& app) const;

  NodeLimits node_;
  HeatLimit heat_;
  MemoryLimits memory_;
  std::map<uint64_t, std::unique_ptr<App>> apps_;
  double capacity_cores_ = 0;
  double wanted_cores_ = 0;
  double left_cores_ = 0;
  std::optional<double> hottest_c_;
};

}  // namespace edgewise::control

#endif  // EDGEWISE_CONTROL_CONTROLLER_H_
