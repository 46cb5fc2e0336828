#include "experiments/fit_card.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "cards/make_card.h"
#include "experiments/run_figures.h"
#include "store/analysis.h"

namespace edgewise {
namespace {

CardAmounts AmountsOf(const Resources& resources) {
  return {resources.cpu_cores, resources.memory_bytes};
}

}  // namespace

CardResources ResourcesOf(const FitAnswer& answer, const FitRequest& request) {
  CardResources resources;
  std::vector<std::string> targets;
  for (const Target& target : request.targets) {
    targets.push_back(target.text);
  }
  resources.meets = Join(targets, " and ");
  resources.confidence = request.confidence;
  resources.cores = answer.cores;
  resources.lower = AmountsOf(answer.lower);
  resources.target = resources.requests = AmountsOf(answer.target);
  resources.upper = resources.limits = AmountsOf(answer.upper);
  for (const FitStep& step : answer.steps) {
    resources.runs.push_back(step.trial.run_id);
  }
  return resources;
}

Result<Card> NewFitCard(const Store& store, const FitAnswer& answer,
                        const FitRequest& request) {
  std::vector<Run> runs;
  const ResourceLimits& confirmed = answer.steps.back().trial.limits;
  for (const FitStep& step : answer.steps) {
    const ResourceLimits& limits = step.trial.limits;
    if (step.purpose == TrialPurpose::kConfirm &&
        limits.cpu_cores == confirmed.cpu_cores &&
        limits.memory_bytes == confirmed.memory_bytes) {
      auto run = store.Find(step.trial.run_id);
      if (!run) {
        return run.error();
      }
      runs.push_back(std::move(*run));
    }
  }
  CardRequest wanted;
  wanted.span = request.targets.front().span;
  if (wanted.span.empty()) {
    const auto analysis = Analyse(store, runs.front());
    if (!analysis) {
      return analysis.error();
    }
    wanted.span = ItemSpan(*analysis);
  }
  Card card;
  if (auto made = MakeCard(store, runs, wanted)) {
    card = std::move(made->card);
  } else {
    const Run& run = runs.front();
    card.name =
        run.label.empty()
            ? std::filesystem::path(run.command.front()).filename().string()
            : run.label;
    card.command = ShellQuote(run.command);
  }
  card.resources = ResourcesOf(answer, request);
  return card;
}

}  // namespace edgewise
