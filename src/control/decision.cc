#include "control/decision.h"

#include <fmt/format.h>

#include "base/clock.h"

namespace edgewise::control {

const char* DecisionKindName(DecisionKind kind) {
  switch (kind) {
    case DecisionKind::kCpu:
      return "cpu";
    case DecisionKind::kKnob:
      return "knob";
    case DecisionKind::kMemory:
      return "memory";
    case DecisionKind::kCores:
      return "cores";
    case DecisionKind::kNice:
      return "nice";
    case DecisionKind::kGivesWay:
      return "gives-way";
    case DecisionKind::kMeetsAgain:
      return "has-enough";
    case DecisionKind::kNoHelp:
      return "no-help";
    case DecisionKind::kHeat:
      return "heat";
    case DecisionKind::kRefused:
      return "refused";
    case DecisionKind::kJoined:
      return "joined";
    case DecisionKind::kLeft:
      return "left";
  }
  return "";
}

bool IsChange(DecisionKind kind) {
  return kind == DecisionKind::kCpu || kind == DecisionKind::kKnob ||
         kind == DecisionKind::kMemory || kind == DecisionKind::kCores ||
         kind == DecisionKind::kNice;
}

std::string DecisionText(const Decision& decision) {
  return fmt::format("{}  {}: {}{}. {}", FormatUtc(decision.utc_ns),
                     decision.app.empty() ? "node" : decision.app,
                     decision.what, decision.carried_out ? "" : " (not done)",
                     decision.why);
}

}  // namespace edgewise::control
