#include "report/fit_step.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "base/text.h"
#include "base/units.h"
#include "report/figures.h"

namespace edgewise {
namespace {

std::string LimitsText(const ResourceLimits& limits) {
  std::string text = FitCoresText(limits.cpu_cores);
  if (limits.cores) {
    text += fmt::format(" on {}", *limits.cores);
  }
  if (limits.memory_bytes) {
    text += ", " + FormatBytes(static_cast<double>(*limits.memory_bytes));
  }
  return text;
}

// " (9.3 to 9.9)": the unit of both only if it differs.
std::string RangeText(const std::string& low, const std::string& high) {
  const size_t unit = low.find(' ');
  if (unit != std::string::npos && high.ends_with(low.substr(unit))) {
    return " (" + low.substr(0, unit) + " to " +
           high.substr(0, high.size() - low.size() + unit) + ")";
  }
  return " (" + low + " to " + high + ")";
}

std::string_view StandingText(Standing standing) {
  switch (standing) {
    case Standing::kMet:
      return "met";
    case Standing::kNotMet:
      return "not met";
    case Standing::kUndecided:
      break;
  }
  return "undecided";
}

}  // namespace

std::string FitCoresText(double cores) {
  return fmt::format("{:.3g} {}", cores, cores == 1 ? "core" : "cores");
}

std::string FitFiguresText(const JointJudgement& judgement,
                           const FitRequest& request) {
  std::vector<std::string> figures;
  for (size_t i = 0; i < judgement.each.size(); ++i) {
    const Target& target = request.targets[i];
    const auto& figure = judgement.each[i].figure;
    if (!figure) {
      figures.emplace_back(kUnknown);
      continue;
    }
    std::string text = FigureText(target, figure->value);
    if (figure->sufficient()) {
      text += RangeText(FigureText(target, *figure->low),
                        FigureText(target, *figure->high));
    } else if (target.kind != TargetKind::kMax) {
      text += " (insufficient samples)";
    }
    figures.push_back(text);
  }
  return Join(figures, ", ");
}

std::string FitStepText(const FitStep& step, const FitRequest& request) {
  const Trial& trial = step.trial;
  std::string text =
      step.purpose == TrialPurpose::kUnlimited
          ? "without limits (" + LimitsText(trial.limits) + ")"
          : (step.purpose == TrialPurpose::kConfirm ? "confirming " : "") +
                LimitsText(trial.limits);
  if (trial.end == TrialEnd::kOutOfMemory) {
    return text + ": killed for want of memory";
  }
  if (trial.end != TrialEnd::kDone) {
    return text + ": " + trial.failure;
  }
  return text + ": " + FitFiguresText(step.judgement, request) + ": " +
         std::string(StandingText(step.judgement.standing));
}

}  // namespace edgewise
