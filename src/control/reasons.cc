#include "control/reasons.h"

#include <fmt/format.h>

#include "base/units.h"

namespace edgewise::control {
namespace {

std::string CoresText(std::optional<double> cores) {
  return cores ? fmt::format("{:.2f}", *cores) : "unlimited";
}

std::string MemoryText(std::optional<int64_t> bytes) {
  return bytes ? FormatBytes(static_cast<double>(*bytes)) : "unlimited";
}

std::string NodeText(const Decision& decision) {
  return fmt::format("Goals take {:.2f} cores and {:.2f} are there",
                     decision.node_wanted_cores.value_or(0),
                     decision.node_capacity_cores.value_or(0));
}

}  // namespace

std::string JoinedWhy(const AppObservation& app) {
  if (!app.only_observed.empty()) {
    return app.only_observed;
  }
  if (!app.goal.goal) {
    return "It has no goal and gets what is left";
  }
  return "Its goal is " + app.goal.goal->text +
         (app.card_cores
              ? fmt::format("; its card says {:.2f} cores", *app.card_cores)
              : "");
}

std::string QuotaWhat(std::optional<double> from, std::optional<double> to) {
  return fmt::format("CPU {} → {} cores", CoresText(from), CoresText(to));
}

std::string QuotaWhy(const Decision& decision, std::optional<double> before,
                     bool missing, bool gives_way) {
  if (decision.goal.empty()) {
    return NodeText(decision) + "; it has no goal and gets what is left";
  }
  if (gives_way) {
    return NodeText(decision) + "; it gives way";
  }
  if (missing) {
    return fmt::format("{} is missed: {}", decision.goal,
                       decision.measured_text);
  }
  const std::string now =
      decision.measured_text.empty() ? "" : ", now " + decision.measured_text;
  return !before || *decision.granted_cores < *before
             ? fmt::format("That is enough for {}{}", decision.goal, now)
             : fmt::format("Its items take more CPU than before; {}{}",
                           decision.goal, now);
}

std::string NoHelpWhy(const Decision& decision) {
  return fmt::format(
      "{} is missed ({}), but it uses only {:.2f} of its {} cores: CPU is not "
      "what it lacks",
      decision.goal, decision.measured_text, decision.cpu_cores.value_or(0),
      CoresText(decision.granted_cores));
}

std::string KnobWhat(const KnobValues& from, const KnobValues& to) {
  std::string what;
  for (size_t k = 0; k < to.size(); ++k) {
    if (to[k].second != from[k].second) {
      what += fmt::format("{}{} {:g} → {:g}", what.empty() ? "" : ", ",
                          to[k].first, from[k].second, to[k].second);
    }
  }
  return what;
}

std::string KnobWhy(const Decision& decision, double cores_before,
                    double cores_after) {
  const double others = decision.node_wanted_cores.value_or(0) - cores_after;
  if (cores_after < cores_before) {
    return fmt::format(
        "Goals would take {:.2f} cores and {:.2f} are there; so it needs about "
        "{:.2f} instead of {:.2f} of them",
        others + cores_before, decision.node_capacity_cores.value_or(0),
        cores_after, cores_before);
  }
  return "There is room again: g" + NodeText(decision).substr(1);
}

std::string WayWhat(const AppGrant& grant) {
  return grant.gives_way
             ? fmt::format("gives way: {:.2f} of the {:.2f} cores it needs",
                           grant.cores, grant.wanted_cores)
             : fmt::format("has enough again: {:.2f} cores", grant.cores);
}

std::string WayWhy(const Decision& decision, const AppGrant& grant,
                   double weight) {
  return NodeText(decision) +
         (grant.gives_way
              ? fmt::format("; the goals that are kept weigh more together "
                            "than any choice with this one (weight {:g})",
                            weight)
              : "");
}

std::string MemoryWhat(std::optional<int64_t> from, std::optional<int64_t> to) {
  return fmt::format("memory {} → {}", MemoryText(from), MemoryText(to));
}

std::string MemoryWhy(const MemoryReason& reason) {
  if (!reason.limit_bytes) {
    return "The node has enough memory again";
  }
  const std::string works = MemoryText(reason.working_set_bytes);
  return reason.for_shortage
             ? fmt::format(
                   "The node has {} of the {} left that it keeps; the "
                   "app works with {}",
                   MemoryText(reason.available_bytes),
                   MemoryText(reason.reserve_bytes), works)
             : "Its goals allow no more, and it works with " + works;
}

}  // namespace edgewise::control
