#include "experiments/contend.h"

#include <algorithm>
#include <set>
#include <utility>

#include "experiments/contend_advice.h"
#include "sessions/settings.h"
#include "stress/stressor.h"

namespace edgewise {
namespace {

Error Invalid(std::string message) {
  return {ErrorCode::kInvalid, std::move(message)};
}

int CoresOf(const ContendRequest& request) {
  return request.conditions.cpus.empty()
             ? UsableCores()
             : static_cast<int>(request.conditions.cpus.size());
}

std::vector<Actor> Stressors(const ContendRequest& request,
                             const std::vector<StressKind>& kinds) {
  std::vector<Actor> stressors;
  for (const StressKind kind : kinds) {
    for (const double dial : request.dials) {
      stressors.push_back(StressActor(request.program, {kind, dial}));
    }
  }
  return stressors;
}

void Append(std::vector<Deployment>& plan, std::vector<Deployment> more) {
  std::move(more.begin(), more.end(), std::back_inserter(plan));
}

// Apps beside stressors; probes beside stressors of the CPU and of their own
// kind, and beside the apps.
std::vector<Deployment> PlanSensitivity(const ContendRequest& request) {
  std::vector<Deployment> plan;
  uint64_t seed = request.seed;
  for (const Actor& app : request.apps) {
    Append(plan, PlanAgainst(app, Stressors(request, request.kinds),
                             request.repeat, seed++));
  }
  for (const StressKind kind : kProbedKinds) {
    std::vector<Actor> neighbours =
        Stressors(request, {StressKind::kCpu, kind});
    neighbours.insert(neighbours.end(), request.apps.begin(),
                      request.apps.end());
    Append(plan, PlanAgainst(ProbeActor(request.program, kind), neighbours,
                             request.repeat, seed++));
  }
  return plan;
}

std::vector<Deployment> Plan(const ContendRequest& request) {
  switch (request.mode) {
    case ContendMode::kBaseline:
      return PlanBaselines(request.apps, request.repeat, request.seed);
    case ContendMode::kPairwise:
      return PlanPairs(request.apps, request.beside, request.repeat,
                       request.seed);
    case ContendMode::kRandom:
      return PlanRandom(request.apps, request.beside, request.program,
                        request.kinds, request.deployments, request.seed);
    case ContendMode::kSensitivity:
      return PlanSensitivity(request);
    case ContendMode::kCheck: {
      std::vector<Deployment> plan = PlanSensitivity(request);
      Append(plan, PlanPairs(request.apps, {}, request.repeat, request.seed));
      return plan;
    }
  }
  return {};
}

std::string FailureAlone(const std::vector<Observation>& all,
                         const std::string& app) {
  for (const Observation& seen : all) {
    if (seen.actor == app && seen.baseline() && !seen.failure.empty()) {
      return seen.failure;
    }
  }
  return "";
}

bool HasPressure(ContendMode mode) {
  return mode == ContendMode::kSensitivity || mode == ContendMode::kCheck;
}

}  // namespace

std::string_view ContendModeName(ContendMode mode) {
  switch (mode) {
    case ContendMode::kBaseline:
      return "baseline";
    case ContendMode::kPairwise:
      return "pairwise";
    case ContendMode::kRandom:
      return "random";
    case ContendMode::kSensitivity:
      return "sensitivity";
    case ContendMode::kCheck:
      return "check";
  }
  return "";
}

Result<void> CheckContend(const ContendRequest& request) {
  if (request.apps.empty()) {
    return Invalid(
        "no app to look at: name one with --app, e.g. --app 'cam=./camera "
        "--max'");
  }
  if (request.repeat < 1 || request.deployments < 1) {
    return Invalid("--repeat and --deployments must be at least 1");
  }
  if (request.dials.empty() || request.kinds.empty()) {
    return Invalid("--dials and --stress must not be empty");
  }
  for (const double dial : request.dials) {
    if (!(dial > 0) || dial > 100) {
      return Invalid(
          "--dials: a dial must be above 0 and at most 100; 0 is measured "
          "anyway, as the baseline");
    }
  }
  const ContendConditions& conditions = request.conditions;
  if (conditions.warmup_ns >= conditions.duration_ns) {
    return Invalid("--warmup must be shorter than --duration");
  }
  std::set<std::string> names;
  for (const auto* actors : {&request.apps, &request.beside}) {
    for (const Actor& actor : *actors) {
      if (!names.insert(actor.name).second) {
        return Invalid("two programs are called \"" + actor.name +
                       "\": give each a name of its own");
      }
      if (!actor.stress && ParseStressSpec(actor.name)) {
        return Invalid("\"" + actor.name +
                       "\" is the name of a stressor: call the program "
                       "something else");
      }
      SessionSettings settings;
      settings.command = actor.command;
      settings.conditions.cpus = conditions.cpus;
      if (const Result<void> checked = CheckSettings(settings); !checked) {
        return Error{checked.error().code,
                     actor.name + ": " + checked.error().message};
      }
    }
  }
  return {};
}

Result<ContendReport> RunContend(const ContendRequest& request,
                                 const ContendListener& progress) {
  if (const Result<void> checked = CheckContend(request); !checked) {
    return checked.error();
  }
  const std::vector<Deployment> plan = Plan(request);
  ContendMeasure measure(request.conditions, plan.size(), progress);
  if (const Result<void> measured = measure.Measure(plan); !measured) {
    return measured.error();
  }
  const std::vector<Observation>& all = measure.observations();
  const std::vector<SlowDown> slow_downs = AllSlowDowns(all);

  ContendReport report;
  report.mode = request.mode;
  report.group = request.conditions.group;
  report.seed = request.seed;
  report.repeat = request.repeat;
  report.cores = CoresOf(request);
  report.warnings = measure.warnings();
  report.cancelled = measure.cancelled();
  std::vector<std::string> names;
  std::vector<Sensitivity> sensitivities;
  std::vector<std::optional<Pressure>> pressures;
  for (const Actor& actor : request.apps) {
    ContendApp app{actor.name,
                   actor.command,
                   measure.SpanOf(actor.name),
                   BaselineOf(all, actor.name),
                   CoresAlone(all, actor.name),
                   std::nullopt,
                   FailureAlone(all, actor.name)};
    if (HasPressure(request.mode)) {
      app.pressure =
          PressureOf(slow_downs, app.name, app.cores_alone, report.cores);
      pressures.push_back(app.pressure);
      sensitivities.push_back(
          SensitivityOf(slow_downs, app.name, report.cores));
    }
    names.push_back(app.name);
    report.apps.push_back(std::move(app));
  }
  for (const SlowDown& each : slow_downs) {
    const bool of_app =
        std::find(names.begin(), names.end(), each.actor) != names.end();
    // An app beside a probe is how its pressure was felt, not a deployment.
    const bool beside_probe = std::any_of(
        each.beside.begin(), each.beside.end(),
        [](const auto& name) { return name.starts_with("probe:"); });
    if (of_app && !beside_probe) {
      report.slow_downs.push_back(each);
    } else if (each.actor.starts_with("probe:")) {
      report.probes.push_back(each);
    }
  }
  report.advice = ContendAdvice(names, report.slow_downs);
  if (request.mode == ContendMode::kCheck) {
    report.check =
        CheckPredictions(slow_downs, names, sensitivities, pressures);
  }
  return report;
}

}  // namespace edgewise
