#include "experiments/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "experiments/cool_down.h"
#include "sessions/outcome.h"

namespace edgewise {
namespace {

constexpr uint64_t kGroupBits = (uint64_t{1} << 48) - 1;

// The group of the n-th sweep of one request.
std::string GroupName(uint64_t digest, uint64_t n) {
  return fmt::format("{:012x}",
                     (digest ^ (n * 0x9e3779b97f4a7c15)) & kGroupBits);
}

struct Progressing {
  std::string group;
  AttemptTable attempts;
};

bool Settled(const AttemptTable& attempts, const MeasurementKey& key,
             int retries) {
  const Attempts* made = attempts.Find(key);
  return made != nullptr &&
         (!made->best.disturbance.disturbed() || made->count > retries ||
          ExitCodeOf(made->best.run) != 0);
}

size_t SettledSteps(const SweepPlan& plan, const AttemptTable& attempts,
                    int retries) {
  return static_cast<size_t>(std::count_if(
      plan.steps.begin(), plan.steps.end(), [&](const SweepStep& step) {
        return Settled(attempts, {plan.points[step.point].name, step.repeat},
                       retries);
      }));
}

// The sweep to go on with: the first of this request that is not complete.
Result<Progressing> Find(const Store& store, const SweepPlan& plan,
                         const SweepOptions& options) {
  for (uint64_t n = 0;; ++n) {
    Progressing sweep;
    sweep.group = GroupName(plan.digest, n);
    const auto runs = RunsOfGroup(store, sweep.group);
    if (!runs) {
      return runs.error();
    }
    if (runs->empty()) {
      return sweep;
    }
    if (options.fresh) {
      continue;
    }
    if (std::any_of(runs->begin(), runs->end(), [](const Run& run) {
          return run.state == RunState::kRunning;
        })) {
      return Error{ErrorCode::kBusy,
                   "this sweep is being run by another edgewise: wait for it, "
                   "or start another with --fresh"};
    }
    auto attempts = ReadAttempts(store, *runs, options.limits);
    if (!attempts) {
      return attempts.error();
    }
    if (SettledSteps(plan, *attempts, options.retries) < plan.steps.size()) {
      sweep.attempts = std::move(*attempts);
      return sweep;
    }
  }
}

}  // namespace

Result<SweepOutcome> RunSweep(Store& store, const SweepPlan& plan,
                              const SweepOptions& options,
                              const SweepHooks& hooks) {
  auto sweep = Find(store, plan, options);
  if (!sweep) {
    return sweep.error();
  }
  SweepOutcome outcome;
  outcome.group = sweep->group;
  outcome.found = SettledSteps(plan, sweep->attempts, options.retries);
  SweepEvent event;
  event.done = outcome.found;
  event.all = plan.steps.size();
  const auto tell = [&] {
    if (hooks.event) {
      hooks.event(event);
    }
  };
  tell();
  const CoolDown cool_down(options.cool_down_ns);
  bool first = true;
  for (const SweepStep& step : plan.steps) {
    const SweepPoint& point = plan.points[step.point];
    const MeasurementKey key{point.name, step.repeat};
    bool settled = Settled(sweep->attempts, key, options.retries);
    while (!settled) {
      if (!std::exchange(first, false) && !cool_down.Wait()) {
        outcome.cancelled = true;
        return outcome;
      }
      SessionSettings settings = point.settings;
      settings.group = sweep->group;
      settings.repeat_index = step.repeat;
      settings.run_number = static_cast<int>(event.done) + 1;
      settings.run_count = static_cast<int>(event.all);
      event.point = point.name;
      event.measured = nullptr;
      event.failure.clear();
      auto run = RunSession(store, settings, hooks.progress);
      if (!run) {
        if (run.error().code != ErrorCode::kNotFound &&
            run.error().code != ErrorCode::kPermission) {
          return run.error();
        }
        event.failure = run.error().message;
        ++event.done;
        tell();
        break;
      }
      if (WasCancelled(*run)) {
        outcome.cancelled = true;
        return outcome;
      }
      auto measured = Measure(store, std::move(*run), options.limits);
      if (!measured) {
        return measured.error();
      }
      sweep->attempts.Add(*measured);
      settled = Settled(sweep->attempts, key, options.retries);
      event.measured = &*measured;
      event.again = !settled;
      event.done += settled ? 1 : 0;
      tell();
    }
  }
  return outcome;
}

}  // namespace edgewise
