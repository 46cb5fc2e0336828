// What comes of an allocation: quotas, memory limits, and all settings of an
// app together.
#include <algorithm>

#include "control/controlled_app.h"
#include "control/controller.h"
#include "control/reasons.h"

namespace edgewise::control {
namespace {

// Told again after that if it has not changed.
constexpr int64_t kRepeatNs = 600 * kNsPerSecond;
constexpr int64_t kSharesWithGoal = 8192;
constexpr int64_t kSharesWithout = 128;
constexpr int kNiceWithout = 10;
constexpr int kNiceGivesWay = 5;

// A quota is counted over a part of what the goal is about, so that an app
// does not stand still for longer than it may.
int64_t QuotaPeriodUs(const std::optional<Goal>& goal) {
  constexpr int64_t kUsual = 100'000;
  constexpr int64_t kShortest = 10'000;
  if (!goal || goal->kind == GoalKind::kValue) {
    return kUsual;
  }
  const double us = goal->kind == GoalKind::kRate ? 1e6 / goal->bound / 2
                                                  : goal->bound / 1e3 / 8;
  return std::clamp(static_cast<int64_t>(us), kShortest, kUsual);
}

}  // namespace

void Controller::SetQuota(const AppObservation& seen, const QuotaWish& wish,
                          const NodeObservation& node, ControlStep* step) {
  App& app = *apps_.at(seen.id);
  const auto before = app.quota.cores();
  if (app.quota.Update(wish, node.now_ns)) {
    Decision decision = DecisionOn(DecisionKind::kCpu, seen, app);
    decision.what = QuotaWhat(before, app.quota.cores());
    decision.why =
        QuotaWhy(decision, before, app.demand.miss_ratio().value_or(0) > 1,
                 app.gives_way);
    step->decisions.push_back(std::move(decision));
  }
}

void Controller::SetQuotas(const NodeObservation& node,
                           const Allocation& allocation, ControlStep* step) {
  double served = 0;
  double leftovers = 0;
  const auto is_served = [&](size_t i) {
    return node.apps[i].goal.goal && !allocation.grants[i].gives_way;
  };
  for (size_t i = 0; i < node.apps.size(); ++i) {
    const double granted = allocation.grants[i].cores;
    const auto quota = apps_.at(node.apps[i].id)->quota.cores();
    if (is_served(i)) {
      served += std::max(quota.value_or(0), granted);
    } else {
      leftovers += granted;
    }
  }
  const bool scarce = served > allocation.capacity_cores + 0.01;
  double rest = allocation.capacity_cores;
  for (size_t i = 0; i < node.apps.size(); ++i) {
    const AppObservation& seen = node.apps[i];
    App& app = *apps_.at(seen.id);
    if (!is_served(i)) {
      continue;
    }
    const double granted = allocation.grants[i].cores;
    // Before anything is known of an app, it is only told to the kernel who
    // goes first.
    if (seen.only_observed.empty() && app.demand.cores()) {
      // With a knob just turned back, the goal would be missed.
      const bool missing = (app.demand.miss_ratio().value_or(0) > 1 &&
                            !app.demand.cpu_does_not_help()) ||
                           (app.ladder.IsSettling(node.now_ns) &&
                            granted > app.quota.cores().value_or(0));
      SetQuota(seen, {granted, true, missing, scarce}, node, step);
      NoteNoHelp(seen, app, node.now_ns, step);
    }
    rest -= app.quota.cores().value_or(granted);
  }
  // Quotas that stay where they are leave less than was computed, or more.
  const double share = leftovers > 0 ? std::max(0.0, rest / leftovers) : 1;
  for (size_t i = 0; i < node.apps.size(); ++i) {
    const AppObservation& seen = node.apps[i];
    if (is_served(i) || !seen.only_observed.empty()) {
      continue;
    }
    const double least = seen.goal.min_cpu_cores.value_or(kLeastCores);
    const double most = seen.goal.max_cpu_cores.value_or(node.cores);
    const double cores =
        std::max(least, std::min(most, allocation.grants[i].cores * share));
    SetQuota(seen, {cores, false, false, /*scarce=*/true}, node, step);
  }
}

void Controller::NoteNoHelp(const AppObservation& seen, App& app,
                            int64_t now_ns, ControlStep* step) {
  if (!app.demand.cpu_does_not_help() ||
      (app.told_no_help_ns != 0 && now_ns - app.told_no_help_ns < kRepeatNs)) {
    return;
  }
  app.told_no_help_ns = now_ns;
  Decision decision = DecisionOn(DecisionKind::kNoHelp, seen, app);
  decision.what = "nothing changed";
  decision.why = NoHelpWhy(decision);
  step->decisions.push_back(std::move(decision));
}

void Controller::SetMemory(const NodeObservation& node, ControlStep* step) {
  const auto& limits = memory_.Update(node, node_.reserve_memory_bytes);
  for (const AppObservation& seen : node.apps) {
    App& app = *apps_.at(seen.id);
    const auto found = limits.find(seen.id);
    const auto wanted = found == limits.end() ? std::optional<int64_t>()
                                              : std::optional(found->second);
    if (wanted == app.memory_bytes) {
      continue;
    }
    Decision decision = DecisionOn(DecisionKind::kMemory, seen, app);
    decision.what = MemoryWhat(app.memory_bytes, wanted);
    decision.why =
        MemoryWhy({wanted, seen.working_set_bytes, node.available_memory_bytes,
                   node_.reserve_memory_bytes,
                   memory_.short_of_memory() && !seen.goal.max_memory_bytes});
    app.memory_bytes = wanted;
    step->decisions.push_back(std::move(decision));
  }
}

AppSetting Controller::SettingOf(const AppObservation& seen,
                                 const App& app) const {
  AppSetting setting;
  setting.id = seen.id;
  setting.quota_cores = app.quota.cores();
  setting.quota_period_us = QuotaPeriodUs(seen.goal.goal);
  setting.cpus = seen.goal.cpus;
  const auto shares =
      static_cast<double>(seen.goal.goal ? kSharesWithGoal : kSharesWithout);
  setting.shares = static_cast<int64_t>(
      std::clamp(shares * seen.goal.weight, seen.goal.goal ? 2048.0 : 2.0,
                 seen.goal.goal ? 131072.0 : 1024.0));
  setting.nice = !seen.goal.goal ? std::optional(kNiceWithout)
                 : app.gives_way ? std::optional(kNiceGivesWay)
                                 : std::nullopt;
  setting.memory_bytes = app.memory_bytes;
  setting.knobs = app.ladder.ValuesAt(app.ladder.level());
  return setting;
}

AppControlState Controller::StateOf(uint64_t app_id) const {
  AppControlState state;
  const auto found = apps_.find(app_id);
  if (found == apps_.end()) {
    return state;
  }
  const App& app = *found->second;
  state.under_control = true;
  state.quota_cores = app.quota.cores();
  state.wanted_cores = app.demand.cores();
  state.miss_ratio = app.demand.miss_ratio();
  state.gives_way = app.gives_way;
  state.knobs = app.ladder.ValuesAt(app.ladder.level());
  state.memory_bytes = app.memory_bytes;
  return state;
}

}  // namespace edgewise::control
