#include "history/together.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "base/units.h"

namespace edgewise {
namespace {

std::string Amount(double value, std::string_view unit) {
  return unit == "bytes" ? FormatBytes(value)
                         : fmt::format("{:.3g} {}", value, unit);
}

// What all apps ask for of one resource, and of which apps it is not known.
struct Sum {
  double known = 0;
  bool any = false;
  std::vector<std::string> unknown;
};

Sum SumOf(const std::vector<AppNeed>& apps,
          std::optional<double> AppNeed::*member) {
  Sum sum;
  for (const AppNeed& app : apps) {
    if (const std::optional<double>& need = app.*member) {
      sum.known += *need;
      sum.any = true;
    } else {
      sum.unknown.push_back(app.app);
    }
  }
  return sum;
}

ResourceCheck Check(std::string resource, std::string unit, const Sum& sum,
                    std::optional<double> available) {
  ResourceCheck check;
  check.resource = std::move(resource);
  check.unit = std::move(unit);
  check.available = available;
  if (sum.any) {
    check.needed = sum.known;
  }
  const std::string needs = Amount(sum.known, check.unit);
  if (!available) {
    check.sentence = fmt::format(
        "{}: {} asked for, and what the node has is not known", check.resource,
        sum.any ? needs : std::string("an unknown amount"));
  } else if (sum.known > *available) {
    check.fits = Fits::kNo;
    check.sentence =
        fmt::format("{}: {} asked for, {} there: too little by {}",
                    check.resource, needs, Amount(*available, check.unit),
                    Amount(sum.known - *available, check.unit));
  } else if (!sum.unknown.empty()) {
    check.sentence = fmt::format(
        "{}: not known of {}; the others ask for {} of {}", check.resource,
        Join(sum.unknown, ", "), needs, Amount(*available, check.unit));
  } else {
    check.fits = Fits::kYes;
    check.sentence = fmt::format("{}: {} of {} asked for", check.resource,
                                 needs, Amount(*available, check.unit));
  }
  return check;
}

std::optional<double> Less(std::optional<double> value, double reserved) {
  return value ? std::optional(std::max(0.0, *value - reserved)) : std::nullopt;
}

void CheckResources(Together& together) {
  const Node& node = together.node;
  together.resources.push_back(Check("CPU", "cores",
                                     SumOf(together.apps, &AppNeed::cpu_cores),
                                     Less(node.cores, node.reserved_cores)));
  together.resources.push_back(
      Check("memory", "bytes", SumOf(together.apps, &AppNeed::memory_bytes),
            Less(node.memory_bytes, node.reserved_memory_bytes)));
  const Sum gpu_memory = SumOf(together.apps, &AppNeed::gpu_memory_bytes);
  const Sum bandwidth = SumOf(together.apps, &AppNeed::gpu_bandwidth_gbs);
  if (gpu_memory.known > 0 || !gpu_memory.unknown.empty()) {
    together.resources.push_back(
        Check("GPU memory", "bytes", gpu_memory, node.gpu_memory_bytes));
  }
  if (bandwidth.known > 0 || !bandwidth.unknown.empty()) {
    together.resources.push_back(
        Check("GPU bandwidth", "GB/s", bandwidth, node.gpu_bandwidth_gbs));
  }
}

// What all the others do to an app, added up; nullopt if that of any of them
// is not known.
std::optional<Pressure> PressureOn(const AppNeed& app,
                                   const std::vector<AppNeed>& apps) {
  Pressure sum;
  for (const AppNeed& other : apps) {
    if (&other == &app) {
      continue;
    }
    if (!other.pressure) {
      return std::nullopt;
    }
    sum.cpu_percent += other.pressure->cpu_percent;
    for (size_t i = 0; i < sum.dial_percent.size(); ++i) {
      sum.dial_percent[i] = std::min(
          100.0, sum.dial_percent[i] + other.pressure->dial_percent[i]);
    }
  }
  sum.cpu_percent = std::min(sum.cpu_percent, 100.0);
  return sum;
}

void SetSlowDown(const AppNeed& app, const std::vector<AppNeed>& apps,
                 GoalCheck& goal) {
  if (apps.size() == 1) {
    goal.slow_down = 1;
    goal.slow_down_from = "alone";
    return;
  }
  const auto pressure = PressureOn(app, apps);
  if (app.sensitivity && pressure) {
    goal.slow_down = Predict(*app.sensitivity, *pressure);
    goal.slow_down_from = "curves";
  } else if (app.contended_ratio) {
    goal.slow_down = app.contended_ratio;
    goal.slow_down_from =
        "card, beside " +
        (app.contended_beside.empty() ? "others" : app.contended_beside);
  }
}

GoalCheck CheckGoal(const AppNeed& app, const std::vector<AppNeed>& apps) {
  GoalCheck goal;
  goal.app = app.app;
  SetSlowDown(app, apps, goal);
  goal.deadline_ms = app.deadline_ms;
  if (!app.deadline_ms) {
    goal.sentence =
        app.app + ": no goal is known; give its card with a deadline_ms";
    return goal;
  }
  if (!app.alone_ms) {
    goal.sentence = fmt::format(
        "{}: due within {:.3g} ms, but how long it takes is not known; make a "
        "card of its span",
        app.app, *app.deadline_ms);
    return goal;
  }
  const double expected = *app.alone_ms * goal.slow_down.value_or(1);
  if (!goal.slow_down && *app.alone_ms <= *app.deadline_ms) {
    goal.sentence = fmt::format(
        "{}: {:.3g} ms ({}) alone of {:.3g} ms; what the others cost it is not "
        "known, `edgewise contend sensitivity` tells",
        app.app, *app.alone_ms, app.alone_is, *app.deadline_ms);
    return goal;
  }
  goal.expected_ms = expected;
  goal.fits = expected <= *app.deadline_ms ? Fits::kYes : Fits::kNo;
  goal.sentence = fmt::format(
      "{}: {:.3g} ms ({}) {}, {} its {:.3g} ms", app.app, expected,
      app.alone_is,
      goal.slow_down && apps.size() > 1
          ? fmt::format("with a slow-down of {:.3g} ({})", *goal.slow_down,
                        goal.slow_down_from)
          : std::string("alone"),
      goal.fits == Fits::kYes ? "within" : "beyond", *app.deadline_ms);
  return goal;
}

void Conclude(Together& together) {
  bool all = true;
  bool none = true;
  const auto take = [&](Fits fits) {
    all = all && fits == Fits::kYes;
    none = none && fits != Fits::kNo;
  };
  for (const ResourceCheck& check : together.resources) {
    take(check.fits);
  }
  for (const GoalCheck& goal : together.goals) {
    take(goal.fits);
  }
  together.fits = !none ? Fits::kNo : all ? Fits::kYes : Fits::kNotKnown;
}

void Warn(Together& together) {
  for (const AppNeed& app : together.apps) {
    if (together.node.fingerprint.empty() || app.fingerprint.empty() ||
        app.fingerprint != together.node.fingerprint) {
      together.warnings.push_back(
          app.fingerprint.empty() || together.node.fingerprint.empty()
              ? fmt::format("whether {} was measured on such a machine is not "
                            "known: its CPU and times may differ there",
                            app.app)
              : fmt::format("{} was measured on another kind of machine: its "
                            "CPU and times may differ on {}",
                            app.app, together.node.name));
    }
  }
  if (together.node.reserved_cores == 0 &&
      together.node.reserved_memory_bytes == 0) {
    together.warnings.emplace_back(
        "what the node's system itself uses is not counted: state "
        "reserved_cores and reserved_memory in a file of the node");
  }
}

}  // namespace

Together CheckTogether(Node node, std::vector<AppNeed> apps) {
  Together together;
  together.node = std::move(node);
  together.apps = std::move(apps);
  CheckResources(together);
  for (const AppNeed& app : together.apps) {
    together.goals.push_back(CheckGoal(app, together.apps));
  }
  Conclude(together);
  Warn(together);
  return together;
}

}  // namespace edgewise
