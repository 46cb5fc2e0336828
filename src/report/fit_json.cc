#include <string_view>

#include "cards/resources.h"
#include "report/fit_text.h"
#include "report/json_writer.h"

namespace edgewise {
namespace {

std::string_view OutcomeName(FitOutcome outcome) {
  switch (outcome) {
    case FitOutcome::kFound:
      return "found";
    case FitOutcome::kUnconfirmed:
      return "unconfirmed";
    case FitOutcome::kCannotMeet:
      return "cannot_meet";
    case FitOutcome::kAppFailed:
      return "app_failed";
    case FitOutcome::kCancelled:
      break;
  }
  return "cancelled";
}

std::string_view PurposeName(TrialPurpose purpose) {
  switch (purpose) {
    case TrialPurpose::kUnlimited:
      return "unlimited";
    case TrialPurpose::kCpu:
      return "cpu";
    case TrialPurpose::kCores:
      return "cores";
    case TrialPurpose::kMemory:
      return "memory";
    case TrialPurpose::kConfirm:
      break;
  }
  return "confirm";
}

std::string_view EndName(TrialEnd end) {
  switch (end) {
    case TrialEnd::kDone:
      return "done";
    case TrialEnd::kOutOfMemory:
      return "out_of_memory";
    case TrialEnd::kFailed:
      return "failed";
    case TrialEnd::kCancelled:
      break;
  }
  return "cancelled";
}

std::string_view StandingName(Standing standing) {
  switch (standing) {
    case Standing::kMet:
      return "met";
    case Standing::kNotMet:
      return "not_met";
    case Standing::kUndecided:
      break;
  }
  return "undecided";
}

std::string BytesJson(const std::optional<int64_t>& bytes) {
  return bytes ? std::to_string(*bytes) : "null";
}

std::string AmountsJson(const Resources& amounts) {
  return JsonObject()
      .AddNumber("cpu_cores", amounts.cpu_cores)
      .Add("memory_bytes", BytesJson(amounts.memory_bytes))
      .text();
}

std::string KubernetesJson(const Resources& amounts) {
  JsonObject object;
  if (amounts.cpu_cores) {
    object.AddString("cpu", FormatMillicores(*amounts.cpu_cores));
  }
  if (amounts.memory_bytes) {
    object.AddString("memory", FormatMebibytes(*amounts.memory_bytes));
  }
  return object.text();
}

std::string StepJson(const FitStep& step, const FitRequest& request) {
  JsonArray figures;
  for (size_t i = 0; i < step.judgement.each.size(); ++i) {
    const Judgement& judgement = step.judgement.each[i];
    const auto end = [&](std::optional<double> stats::Estimate::*member) {
      return judgement.figure ? (*judgement.figure).*member : std::nullopt;
    };
    figures.Add(
        JsonObject()
            .AddString("target", request.targets[i].text)
            .AddNumber("value", judgement.figure
                                    ? std::optional(judgement.figure->value)
                                    : std::nullopt)
            .AddNumber("low", end(&stats::Estimate::low))
            .AddNumber("high", end(&stats::Estimate::high))
            .AddString("standing", StandingName(judgement.standing))
            .text());
  }
  const Trial& trial = step.trial;
  return JsonObject()
      .AddString("run", trial.run_id)
      .AddString("purpose", PurposeName(step.purpose))
      .AddNumber("cpu_cores", trial.limits.cpu_cores)
      .Add("cores",
           trial.limits.cores ? std::to_string(*trial.limits.cores) : "null")
      .Add("memory_bytes", BytesJson(trial.limits.memory_bytes))
      .AddString("end", EndName(trial.end))
      .AddString("failure", trial.failure)
      .Add("peak_bytes", BytesJson(trial.peak_bytes))
      .Add("figures", figures.text())
      .AddString("standing", StandingName(step.judgement.standing))
      .text();
}

}  // namespace

std::string FitJson(const FitAnswer& answer, const FitRequest& request,
                    const std::string& group) {
  std::vector<std::string> targets;
  for (const Target& target : request.targets) {
    targets.push_back(target.text);
  }
  JsonArray steps;
  for (const FitStep& step : answer.steps) {
    steps.Add(StepJson(step, request));
  }
  const bool found = answer.outcome == FitOutcome::kFound;
  return JsonObject()
             .AddInt("schema", 1)
             .AddString("outcome", OutcomeName(answer.outcome))
             .AddStrings("targets", targets)
             .AddNumber("confidence", request.confidence)
             .AddString("group", group)
             .Add("lower", AmountsJson(answer.lower))
             .Add("target", AmountsJson(answer.target))
             .Add("upper", AmountsJson(answer.upper))
             .Add("requests", found ? KubernetesJson(answer.target) : "null")
             .Add("limits", found ? KubernetesJson(answer.upper) : "null")
             .Add("cores",
                  answer.cores ? std::to_string(*answer.cores) : "null")
             .Add("peak_bytes", BytesJson(answer.peak_bytes))
             .AddNumber("memory_margin", request.memory_margin)
             .AddStrings("sentences", FitSentences(answer, request))
             .Add("steps", steps.text())
             .text() +
         "\n";
}

}  // namespace edgewise
