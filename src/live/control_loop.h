// ControlLoop: sees the apps of an agent with the eyes of a controller, and
// carries out what that decides.
#ifndef EDGEWISE_LIVE_CONTROL_LOOP_H_
#define EDGEWISE_LIVE_CONTROL_LOOP_H_

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cards/card.h"
#include "control/actuator.h"
#include "control/controller.h"
#include "execution/active_plan.h"
#include "live/app.h"
#include "live/decision_log.h"
#include "live/node_probe.h"

namespace edgewise::live {

struct ControlSettings {
  std::filesystem::path goals;
  bool observe = false;  // decides, and does nothing
  std::filesystem::path home;
};

// How the knobs of an app are reached: by its connection alone.
class KnobAccess {
 public:
  virtual ~KnobAccess() = default;
  virtual std::vector<ClientKnob> KnobsOf(const LiveApp& app) = 0;
  virtual void SetKnob(const LiveApp& app, const std::string& name,
                       std::optional<double> value) = 0;
};

// What is shown of the whole node.
struct ControlSnapshot {
  bool observe = false;
  double capacity_cores = 0;
  double wanted_cores = 0;
  double left_cores = 0;
  uint64_t changes = 0;  // of limits and knobs, since the start
  uint64_t decisions = 0;
  std::vector<control::Decision> last;  // some, the latest last
};

using Apps = std::map<uint64_t, std::unique_ptr<LiveApp>>;

// Not thread-safe.
class ControlLoop {
 public:
  // Reads the goals and undoes what a killed predecessor left.
  static Result<std::unique_ptr<ControlLoop>> Start(ControlSettings settings);
  // Puts everything back; knobs, too, as long as `knobs` of the last Step
  // lives.
  ~ControlLoop();

  // To be called about once a second. A goals file that has changed is read
  // anew; one that makes no sense is told and not used.
  void Step(const Apps& apps, const NodeReading& node,
            const std::map<std::string, Card>& cards, KnobAccess& knobs,
            int64_t now_ns);
  // Before the apps' connections end.
  void End(const Apps& apps, KnobAccess& knobs);

  control::AppControlState StateOf(uint64_t app_id) const {
    return controller_->StateOf(app_id);
  }
  // What an app has promised; empty if nothing.
  std::string GoalOf(const AppIdentity& identity) const;
  ControlSnapshot Snapshot() const;

 private:
  explicit ControlLoop(ControlSettings settings)
      : settings_(std::move(settings)) {}
  Result<void> ReadGoals();
  void ReadGoalsAgain(int64_t now_ns);
  void ReadPlans(int64_t now_ns);
  control::NodeObservation Observe(const Apps& apps, const NodeReading& node,
                                   const std::map<std::string, Card>& cards,
                                   KnobAccess& knobs, int64_t now_ns);
  void CarryOut(const LiveApp& app, const control::AppSetting& setting,
                KnobAccess& knobs);
  void Log(control::Decision decision);

  ControlSettings settings_;
  control::Goals goals_;
  std::filesystem::file_time_type goals_time_;
  int64_t next_goals_ns_ = 0;
  int64_t next_plans_ns_ = 0;
  std::vector<ActivePlan> plans_;
  std::unique_ptr<control::Controller> controller_;
  std::unique_ptr<control::Actuator> actuator_;  // null under observe
  std::unique_ptr<DecisionLog> log_;
  std::map<uint64_t, control::AppSetting> carried_out_;
  std::map<uint64_t, std::string> names_;
  std::map<uint64_t, std::string> refusals_;  // the last of each app
  ControlSnapshot snapshot_;
};

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_CONTROL_LOOP_H_
