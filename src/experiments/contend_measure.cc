#include "experiments/contend_measure.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "experiments/side_by_side.h"
#include "store/store.h"
#include "store/totals.h"

namespace edgewise {
namespace {

SessionSettings SettingsFor(const Actor& actor, const Deployment& deployment,
                            const ContendConditions& conditions,
                            const std::string& role) {
  SessionSettings settings;
  settings.command = actor.command;
  settings.conditions.cpus = conditions.cpus;
  settings.label = actor.name;
  settings.group = conditions.group;
  settings.group_role = role;
  settings.repeat_index = deployment.repeat;
  settings.read_pss = false;
  settings.pass_output = false;
  // Others wait for it to end: a program that ignores SIGINT is not worth it.
  settings.grace_ns = 2 * kNsPerSecond;
  settings.linger_ns = kNsPerSecond;
  return settings;
}

std::vector<std::string> NamesOf(const std::vector<Actor>& actors) {
  std::vector<std::string> names;
  for (const Actor& actor : actors) {
    names.push_back(actor.name);
  }
  return names;
}

// Who stands beside actor `index` of a deployment, the subject being 0.
std::vector<std::string> BesideOf(const Deployment& deployment, size_t index) {
  std::vector<std::string> names;
  if (index > 0) {
    names.push_back(deployment.subject.name);
  }
  for (size_t i = 0; i < deployment.beside.size(); ++i) {
    if (i + 1 != index) {
      names.push_back(deployment.beside[i].name);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

// What it got, and what it waited for while others had the cores.
std::optional<double> CoresWanted(const Run& run) {
  const auto cpu_s = CpuSeconds(run.totals);
  return cpu_s && run.totals.wall_s && *run.totals.wall_s > 0
             ? std::optional(
                   (*cpu_s + run.totals.run_queue_wait_s.value_or(0)) /
                   *run.totals.wall_s)
             : std::nullopt;
}

// Somebody else had the cores while it was alone.
bool WasDisturbed(const Run& run) {
  constexpr double kMuchWait = 0.1;
  const auto cpu_s = CpuSeconds(run.totals);
  return cpu_s && run.totals.run_queue_wait_s.value_or(0) > kMuchWait * *cpu_s;
}

// Why a deployment says nothing; empty if it does.
std::string FailureOf(const Deployment& deployment,
                      const SideBySideOutcome& outcome) {
  for (size_t i = 0; i < outcome.neighbours.size(); ++i) {
    if (!outcome.neighbours[i].failure.empty()) {
      return deployment.beside[i].name +
             " failed: " + outcome.neighbours[i].failure;
    }
  }
  return outcome.failure;
}

}  // namespace

std::string DeploymentText(const std::string& subject,
                           const std::vector<std::string>& beside) {
  return beside.empty() ? subject + " alone"
                        : subject + " beside " + Join(beside, " and ");
}

ContendMeasure::ContendMeasure(ContendConditions conditions, size_t steps,
                               ContendListener progress)
    : conditions_(std::move(conditions)),
      steps_(steps),
      progress_(std::move(progress)) {}

std::string ContendMeasure::SpanOf(const std::string& actor) const {
  const auto known = spans_.find(actor);
  return known == spans_.end() ? "" : known->second;
}

void ContendMeasure::Warn(const std::string& sentence) {
  if (std::find(warnings_.begin(), warnings_.end(), sentence) ==
      warnings_.end()) {
    warnings_.push_back(sentence);
  }
}

Result<void> ContendMeasure::Measure(const std::vector<Deployment>& plan) {
  for (const Deployment& deployment : plan) {
    if (cancelled_) {
      break;
    }
    if (Result<void> measured = MeasureOne(deployment); !measured) {
      return measured;
    }
  }
  return {};
}

Result<void> ContendMeasure::MeasureOne(const Deployment& deployment) {
  const std::string text =
      DeploymentText(deployment.subject.name, NamesOf(deployment.beside));
  const size_t step = step_++;
  if (progress_) {
    progress_({step_, std::max(step_, steps_), text});
  }
  SideBySideRequest request;
  request.home = conditions_.home;
  request.settle_ns = conditions_.settle_ns;
  request.subject =
      SettingsFor(deployment.subject, deployment, conditions_, text);
  request.subject.conditions.duration_ns = conditions_.duration_ns;
  request.subject.conditions.warmup_ns = conditions_.warmup_ns;
  for (const Actor& neighbour : deployment.beside) {
    request.neighbours.push_back(SettingsFor(neighbour, deployment, conditions_,
                                             text + ": " + neighbour.name));
  }
  const auto outcome = RunSideBySide(request);
  if (!outcome) {
    return outcome.error();
  }
  cancelled_ = outcome->cancelled;
  if (cancelled_) {
    return {};
  }
  const auto store = Store::Open(conditions_.home);
  if (!store) {
    return store.error();
  }
  const std::string failure = FailureOf(deployment, *outcome);
  for (size_t i = 0; i <= deployment.beside.size(); ++i) {
    const Actor& actor = i == 0 ? deployment.subject : deployment.beside[i - 1];
    std::vector<Run> runs;
    if (i > 0) {
      runs = outcome->neighbours[i - 1].runs;
      WarnOfNeighbour(actor, deployment.subject.name, runs);
    } else if (outcome->subject) {
      runs.push_back(*outcome->subject);
    }
    Observation seen;
    seen.step = step;
    seen.actor = actor.name;
    seen.beside = BesideOf(deployment, i);
    seen.repeat = deployment.repeat;
    seen.failure = failure;
    if (!runs.empty()) {
      seen.run_id = runs.front().id;
      seen.cores_wanted = CoresWanted(runs.front());
      if (deployment.baseline() && WasDisturbed(runs.front())) {
        Warn(
            "programs had to wait for a core while they were alone: others are "
            "busy here, or they have more threads than cores; these are the "
            "figures of a busy machine");
      }
    }
    // A stressor has no items of its own.
    if (failure.empty() && !actor.stress) {
      const Result<void> read =
          ReadItems(*store, actor, runs, WindowOf(*outcome->subject), &seen);
      if (!read) {
        return read;
      }
    }
    observed_.push_back(std::move(seen));
  }
  return {};
}

void ContendMeasure::WarnOfNeighbour(const Actor& actor,
                                     const std::string& subject,
                                     const std::vector<Run>& runs) {
  if (runs.size() > 1) {
    Warn(actor.name +
         " ended before its neighbour and was started again: between the two "
         "there was no pressure; let it run longer");
  }
  // A full dial takes what it gets; the app has the rest.
  if (actor.stress && actor.stress->dial_percent < 100 && !runs.empty() &&
      runs.back().output_tail.find("not reached") != std::string::npos) {
    Warn(actor.name + " did not reach its pressure beside " + subject +
         ": the machine is too busy for it");
  }
}

Result<void> ContendMeasure::ReadItems(const Store& store, const Actor& actor,
                                       const std::vector<Run>& runs,
                                       const MonotonicWindow& window,
                                       Observation* seen) {
  std::string& span = spans_[actor.name];
  if (span.empty()) {
    span = actor.span;
  }
  for (const Run& run : runs) {
    if (span.empty()) {
      const auto longest = LongestSpan(store, run);
      if (!longest) {
        return longest.error();
      }
      span = *longest;
    }
    const auto times = ItemTimes(store, run, span, window);
    if (!times) {
      return times.error();
    }
    seen->wall_ns.insert(seen->wall_ns.end(), times->begin(), times->end());
  }
  if (seen->wall_ns.empty()) {
    seen->failure =
        span.empty()
            ? actor.name +
                  " has neither spans nor an end of its own: use the in-app "
                  "library, or let it end within --duration"
            : actor.name + " recorded no whole \"" + span +
                  "\" in the time: make --duration longer, or check --span";
  }
  return {};
}

}  // namespace edgewise
