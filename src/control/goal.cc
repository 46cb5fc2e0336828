#include "control/goal.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "base/units.h"

namespace edgewise::control {
namespace {

constexpr double kWorstRatio = 1000;

Error Wrong(std::string_view text, const std::string& what) {
  return Error{ErrorCode::kInvalid,
               fmt::format("\"{}\" is no goal: {}", text, what)};
}

// "p95(inference)" is {"p95", "inference"}; "fps" is {"fps", ""}.
struct Subject {
  std::string_view function;
  std::string_view name;
  bool has_name = false;
};
std::optional<Subject> ParseSubject(std::string_view text) {
  const size_t open = text.find('(');
  if (open == std::string_view::npos) {
    return Subject{text, {}, false};
  }
  if (!text.ends_with(')')) {
    return std::nullopt;
  }
  return Subject{Trim(text.substr(0, open)),
                 Trim(text.substr(open + 1, text.size() - open - 2)), true};
}

std::optional<double> QuantileOf(std::string_view function) {
  if (function == "p50") {
    return 0.5;
  }
  if (function == "p95") {
    return 0.95;
  }
  return function == "p99" ? std::optional(0.99) : std::nullopt;
}

}  // namespace

Result<Goal> ParseGoal(std::string_view text) {
  const size_t sign = text.find_first_of("<>");
  if (sign == std::string_view::npos || sign + 1 >= text.size() ||
      text[sign + 1] != '=') {
    return Wrong(text, "write it as fps >= 15 or p95(inference) <= 900ms");
  }
  Goal goal;
  goal.text = Trim(text);
  goal.at_least = text[sign] == '>';
  const auto subject = ParseSubject(Trim(text.substr(0, sign)));
  const std::string_view bound = Trim(text.substr(sign + 2));
  if (!subject || (subject->has_name && subject->name.empty())) {
    return Wrong(text, "a name belongs between the parentheses");
  }
  goal.metric = subject->name;
  if (const auto quantile = QuantileOf(subject->function)) {
    goal.kind = GoalKind::kQuantile;
    goal.quantile = *quantile;
    const auto ns = ParseDurationNs(bound);
    if (!subject->has_name || goal.at_least || !ns) {
      return Wrong(text,
                   "a percentile has a span and a longest time, as in "
                   "p95(inference) <= 900ms");
    }
    goal.bound = static_cast<double>(*ns);
    return goal;
  }
  const auto number = ParseDouble(bound);
  if (!number || *number <= 0) {
    return Wrong(text, fmt::format("\"{}\" is no number above 0", bound));
  }
  goal.bound = *number;
  if ((subject->function == "fps" && !subject->has_name) ||
      (subject->function == "rate" && subject->has_name)) {
    goal.kind = GoalKind::kRate;
    if (!goal.at_least) {
      return Wrong(text, "a rate is promised with >=");
    }
    return goal;
  }
  if (subject->function == "value" && subject->has_name) {
    goal.kind = GoalKind::kValue;
    return goal;
  }
  return Wrong(text, fmt::format("\"{}\" cannot be promised; choose from fps, "
                                 "rate(NAME), p50(SPAN), p95(SPAN), p99(SPAN), "
                                 "value(GAUGE)",
                                 Trim(text.substr(0, sign))));
}

double MissRatio(const Goal& goal, double measured) {
  if (!goal.at_least) {
    return std::min(kWorstRatio, std::max(0.0, measured) / goal.bound);
  }
  return measured <= goal.bound / kWorstRatio ? kWorstRatio
                                              : goal.bound / measured;
}

std::string FormatMeasured(const Goal& goal, double measured) {
  switch (goal.kind) {
    case GoalKind::kRate:
      return fmt::format("{:.3g} per s", measured);
    case GoalKind::kQuantile:
      return FormatDuration(measured);
    case GoalKind::kValue:
      break;
  }
  return fmt::format("{:.4g}", measured);
}

}  // namespace edgewise::control
