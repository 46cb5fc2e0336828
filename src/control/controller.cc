#include "control/controller.h"

#include <fmt/format.h>

#include <algorithm>

#include "control/controlled_app.h"
#include "control/reasons.h"

namespace edgewise::control {
namespace {

// Until an app's needs are known it may use so much.
constexpr double kUnknownCores = 1;
}  // namespace

Controller::Controller(NodeLimits node) : node_(node) {}
Controller::~Controller() = default;

Decision Controller::DecisionOn(DecisionKind kind, const AppObservation& seen,
                                const App& app) const {
  Decision decision;
  decision.kind = kind;
  decision.app_id = seen.id;
  decision.app = seen.name;
  if (seen.goal.goal) {
    decision.goal = seen.goal.goal->text;
    decision.measured = seen.measured;
    decision.measured_text =
        seen.measured ? FormatMeasured(*seen.goal.goal, *seen.measured) : "";
    decision.wanted_cores = app.demand.cores();
  }
  decision.cpu_cores = seen.cpu_cores;
  decision.granted_cores = app.quota.cores();
  decision.node_wanted_cores = wanted_cores_;
  decision.node_capacity_cores = capacity_cores_;
  decision.hottest_c = hottest_c_;
  return decision;
}

void Controller::Join(const NodeObservation& node, ControlStep* step) {
  std::erase_if(apps_, [&](const auto& entry) {
    return std::none_of(
        node.apps.begin(), node.apps.end(),
        [&](const AppObservation& app) { return app.id == entry.first; });
  });
  for (const AppObservation& seen : node.apps) {
    auto& app = apps_[seen.id];
    if (!app) {
      app = std::make_unique<App>(node.now_ns);
    }
    if (app->joined) {
      continue;
    }
    app->joined = true;
    Decision decision = DecisionOn(DecisionKind::kJoined, seen, *app);
    decision.what =
        seen.only_observed.empty() ? "under control" : "only observed";
    decision.why = JoinedWhy(seen);
    step->decisions.push_back(std::move(decision));
  }
}

AppNeed Controller::NeedOf(App& app, const NodeObservation& node) const {
  const auto seen = std::find_if(
      node.apps.begin(), node.apps.end(),
      [&](const auto& each) { return apps_.at(each.id).get() == &app; });
  const AppGoal& goal = seen->goal;
  AppNeed need;
  need.id = seen->id;
  need.has_goal = goal.goal.has_value();
  need.weight = goal.weight;
  need.max_cores = std::min(
      goal.max_cpu_cores.value_or(node.cores),
      static_cast<double>(goal.cpus.empty() ? node.cores : goal.cpus.size()));
  need.min_cores =
      std::min(need.max_cores, goal.min_cpu_cores.value_or(kLeastCores));
  need.had_all = app.had_all;
  if (!seen->only_observed.empty()) {
    // It takes what it takes; the others share the rest.
    need.has_goal = true;
    need.min_cores = need.max_cores = seen->cpu_cores.value_or(0);
    return need;
  }
  if (!need.has_goal) {
    return need;
  }
  app.demand.Observe(*seen, {app.quota.cores(), app.gives_way}, node.now_ns);
  app.ladder.SetKnobs(goal.knobs, seen->knobs);
  const bool settling = app.ladder.IsSettling(node.now_ns);
  const auto known = app.demand.cores();
  if (!known) {
    const auto apps = static_cast<double>(node.apps.size());
    need.cores_at_level.assign(app.ladder.levels(),
                               std::min(kUnknownCores, capacity_cores_ / apps));
    need.level = need.best_level = app.ladder.level();
    return need;
  }
  const double cores =
      settling && app.settling_cores ? *app.settling_cores : *known;
  if (!settling) {
    app.ladder.Learn(cores, node.now_ns);
  }
  need.cores_at_level = app.ladder.CoresAtLevels(cores);
  need.level = app.ladder.level();
  need.best_level = app.ladder.BestLevelNow(node.now_ns);
  return need;
}

void Controller::TurnKnobs(App& app, const AppObservation& seen,
                           const AppGrant& grant, const NodeObservation& node,
                           ControlStep* step) {
  const size_t before = app.ladder.level();
  if (grant.level == before) {
    return;
  }
  const auto cores =
      app.ladder.CoresAtLevels(app.demand.cores().value_or(grant.wanted_cores));
  Decision decision = DecisionOn(DecisionKind::kKnob, seen, app);
  decision.what =
      KnobWhat(app.ladder.ValuesAt(before), app.ladder.ValuesAt(grant.level));
  decision.why = KnobWhy(decision, cores[before], cores[grant.level]);
  app.ladder.Turn(grant.level, cores[before], node.now_ns);
  app.settling_cores = cores[grant.level];
  app.demand.BeginOtherWork();
  step->decisions.push_back(std::move(decision));
}

void Controller::NoteWay(const AppObservation& seen, App& app,
                         const AppGrant& grant, ControlStep* step) {
  app.had_all = !grant.gives_way;
  app.wanted_cores = grant.wanted_cores;
  if (!seen.only_observed.empty()) {
    return;
  }
  if (grant.gives_way != app.gives_way) {
    app.gives_way = grant.gives_way;
    Decision decision = DecisionOn(
        grant.gives_way ? DecisionKind::kGivesWay : DecisionKind::kMeetsAgain,
        seen, app);
    decision.what = WayWhat(grant);
    decision.why = WayWhy(decision, grant, seen.goal.weight);
    step->decisions.push_back(std::move(decision));
  }
}

ControlStep Controller::Step(const NodeObservation& node) {
  ControlStep step;
  hottest_c_ = node.hottest_c;
  if (heat_.Update(node_.thermal_limit_c, node.hottest_c, node.now_ns)) {
    Decision decision;
    decision.kind = DecisionKind::kHeat;
    decision.what =
        fmt::format("apps may use {:.0f}% of the node", 100 * heat_.share());
    decision.why = fmt::format("It has {:.1f} °C, the limit is {:g} °C",
                               *node.hottest_c, *node_.thermal_limit_c);
    decision.hottest_c = node.hottest_c;
    step.decisions.push_back(std::move(decision));
  }
  capacity_cores_ = node.cores * (1 - node_.reserve_cpu_share) * heat_.share();
  Join(node, &step);
  std::vector<AppNeed> needs;
  needs.reserve(node.apps.size());
  for (const AppObservation& seen : node.apps) {
    needs.push_back(NeedOf(*apps_.at(seen.id), node));
  }
  const Allocation allocation = Allocate(capacity_cores_, needs);
  wanted_cores_ = allocation.wanted_cores;
  left_cores_ = allocation.left_cores;
  for (size_t i = 0; i < node.apps.size(); ++i) {
    App& app = *apps_.at(node.apps[i].id);
    if (node.apps[i].goal.goal && node.apps[i].only_observed.empty()) {
      TurnKnobs(app, node.apps[i], allocation.grants[i], node, &step);
    }
    NoteWay(node.apps[i], app, allocation.grants[i], &step);
  }
  SetQuotas(node, allocation, &step);
  SetMemory(node, &step);
  for (const AppObservation& seen : node.apps) {
    if (seen.only_observed.empty()) {
      step.settings.push_back(SettingOf(seen, *apps_.at(seen.id)));
    }
  }
  return step;
}

}  // namespace edgewise::control
