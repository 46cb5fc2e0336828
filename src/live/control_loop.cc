#include "live/control_loop.h"

#include <algorithm>

#include "base/clock.h"
#include "base/text.h"
#include "control/plan_guard.h"
#include "live/observe_app.h"

namespace edgewise::live {
namespace {

constexpr int64_t kLookEveryNs = 2 * kNsPerSecond;
constexpr size_t kShownDecisions = 50;

std::string NameOf(const AppIdentity& identity) {
  return identity.name + "/" + identity.instance;
}

}  // namespace

Result<void> ControlLoop::ReadGoals() {
  std::error_code error;
  goals_time_ = std::filesystem::last_write_time(settings_.goals, error);
  const auto text = ReadFile(settings_.goals);
  if (!text) {
    return text.error();
  }
  auto goals = control::ReadGoals(*text, settings_.goals.string());
  if (!goals) {
    return goals.error();
  }
  goals_ = std::move(*goals);
  return {};
}

Result<std::unique_ptr<ControlLoop>> ControlLoop::Start(
    ControlSettings settings) {
  std::unique_ptr<ControlLoop> loop(new ControlLoop(std::move(settings)));
  if (auto read = loop->ReadGoals(); !read) {
    return read.error();
  }
  if (!loop->settings_.observe) {
    auto actuator = control::Actuator::Start(loop->settings_.home);
    if (!actuator) {
      return actuator.error();
    }
    loop->actuator_ = std::move(*actuator);
  }
  loop->controller_ = std::make_unique<control::Controller>(loop->goals_.node);
  loop->log_ = std::make_unique<DecisionLog>(loop->settings_.home);
  loop->snapshot_.observe = loop->settings_.observe;
  return loop;
}

ControlLoop::~ControlLoop() = default;

void ControlLoop::Log(control::Decision decision) {
  decision.utc_ns = UtcNs();
  decision.carried_out = decision.carried_out && !settings_.observe;
  log_->Add(decision);
  ++snapshot_.decisions;
  snapshot_.changes +=
      decision.carried_out && control::IsChange(decision.kind) ? 1 : 0;
  snapshot_.last.push_back(std::move(decision));
  if (snapshot_.last.size() > kShownDecisions) {
    snapshot_.last.erase(snapshot_.last.begin());
  }
}

void ControlLoop::ReadGoalsAgain(int64_t now_ns) {
  if (now_ns < next_goals_ns_) {
    return;
  }
  next_goals_ns_ = now_ns + kLookEveryNs;
  std::error_code error;
  const auto time = std::filesystem::last_write_time(settings_.goals, error);
  if (error || time == goals_time_) {
    return;
  }
  control::Decision decision;
  if (const auto read = ReadGoals(); read) {
    controller_ = std::make_unique<control::Controller>(goals_.node);
    decision.kind = control::DecisionKind::kJoined;
    decision.what = "new goals";
    decision.why = settings_.goals.string() + " has changed";
  } else {
    decision.kind = control::DecisionKind::kRefused;
    decision.what = "the goals stay as they were";
    decision.why = read.error().message;
    decision.carried_out = false;
  }
  Log(std::move(decision));
}

void ControlLoop::ReadPlans(int64_t now_ns) {
  if (now_ns < next_plans_ns_) {
    return;
  }
  next_plans_ns_ = now_ns + kLookEveryNs;
  auto plans = ReadActivePlans(settings_.home);
  if (plans) {
    plans_ = std::move(*plans);
  }
}

control::NodeObservation ControlLoop::Observe(
    const Apps& apps, const NodeReading& node,
    const std::map<std::string, Card>& cards, KnobAccess& knobs,
    int64_t now_ns) {
  control::NodeObservation seen;
  seen.now_ns = now_ns;
  seen.cores =
      node.cpu ? std::max(1, static_cast<int>(node.cpu->cores.size())) : 1;
  for (const NodeTemperature& temperature : node.temperatures) {
    seen.hottest_c = std::max(seen.hottest_c.value_or(temperature.celsius),
                              temperature.celsius);
  }
  if (node.memory) {
    seen.available_memory_bytes = node.memory->available_bytes;
  }
  for (const auto& [id, app] : apps) {
    const control::AppGoal* goal =
        goals_.Find(app->identity.name, app->identity.instance);
    if (!app->alive || goal == nullptr) {
      continue;
    }
    const auto card = cards.find(app->identity.name);
    seen.apps.push_back(ObserveApp(
        *app, *goal, card == cards.end() ? nullptr : &card->second, now_ns));
    seen.apps.back().only_observed = WhyOnlyObserved(*app);
    for (const ClientKnob& knob : knobs.KnobsOf(*app)) {
      seen.apps.back().knobs.push_back({knob.name, knob.least, knob.most,
                                        knob.wanted.value_or(knob.preset)});
    }
  }
  return seen;
}

void ControlLoop::CarryOut(const LiveApp& app,
                           const control::AppSetting& setting,
                           KnobAccess& knobs) {
  const control::SafeSetting safe = control::MakeSafe(plans_, app.pid, setting);
  std::vector<std::string> refusals;
  if (!safe.refusal.empty() && refusals_[app.id] != safe.refusal) {
    refusals_[app.id] = safe.refusal;
    refusals.push_back(safe.refusal);
  }
  for (std::string& refusal : actuator_->Apply(
           {app.id, app.pid, !app.identity.container.empty()}, safe.setting)) {
    refusals.push_back(std::move(refusal));
  }
  for (std::string& refusal : refusals) {
    control::Decision decision;
    decision.kind = control::DecisionKind::kRefused;
    decision.app_id = app.id;
    decision.app = NameOf(app.identity);
    decision.what = "not all of it could be set";
    decision.why = std::move(refusal);
    decision.carried_out = false;
    Log(std::move(decision));
  }
  // Not only what has changed: an app that was away has forgotten.
  for (const ClientKnob& knob : knobs.KnobsOf(app)) {
    for (const auto& [name, value] : setting.knobs) {
      if (name == knob.name && knob.wanted != value) {
        knobs.SetKnob(app, name, value);
      }
    }
  }
  carried_out_[app.id] = setting;
}

void ControlLoop::Step(const Apps& apps, const NodeReading& node,
                       const std::map<std::string, Card>& cards,
                       KnobAccess& knobs, int64_t now_ns) {
  ReadGoalsAgain(now_ns);
  ReadPlans(now_ns);
  const control::NodeObservation seen =
      Observe(apps, node, cards, knobs, now_ns);
  for (auto entry = names_.begin(); entry != names_.end();) {
    const auto [id, name] = *entry;
    const bool there =
        std::any_of(seen.apps.begin(), seen.apps.end(),
                    [id = id](const auto& app) { return app.id == id; });
    if (there) {
      ++entry;
      continue;
    }
    control::Decision decision;
    decision.kind = control::DecisionKind::kLeft;
    decision.app_id = id;
    decision.app = name;
    decision.what = "not under control any more";
    decision.why = "It has ended, or has no goal any more";
    Log(std::move(decision));
    if (actuator_) {
      actuator_->Release(id);
    }
    carried_out_.erase(id);
    refusals_.erase(id);
    entry = names_.erase(entry);
  }
  for (const control::AppObservation& app : seen.apps) {
    names_[app.id] = app.name;
  }
  control::ControlStep step = controller_->Step(seen);
  for (control::Decision& decision : step.decisions) {
    Log(std::move(decision));
  }
  snapshot_.capacity_cores = controller_->capacity_cores();
  snapshot_.wanted_cores = controller_->wanted_cores();
  snapshot_.left_cores = controller_->left_cores();
  if (!actuator_) {
    return;
  }
  for (const control::AppSetting& setting : step.settings) {
    CarryOut(*apps.at(setting.id), setting, knobs);
  }
}

void ControlLoop::End(const Apps& apps, KnobAccess& knobs) {
  for (const auto& [id, setting] : carried_out_) {
    const auto app = apps.find(id);
    for (const auto& [name, value] : setting.knobs) {
      if (app != apps.end()) {
        knobs.SetKnob(*app->second, name, std::nullopt);
      }
    }
  }
  actuator_.reset();
}

std::string ControlLoop::GoalOf(const AppIdentity& identity) const {
  const control::AppGoal* goal = goals_.Find(identity.name, identity.instance);
  return goal != nullptr && goal->goal ? goal->goal->text : "";
}

ControlSnapshot ControlLoop::Snapshot() const { return snapshot_; }

}  // namespace edgewise::live
