#include "experiments/trial_series.h"

#include <algorithm>
#include <cmath>

namespace edgewise {
namespace {

// An undecided figure this far from the limit (a tenth) shows where to go on.
constexpr double kFarLead = 0.1;

}  // namespace

TrialSeries::Answer TrialSeries::Ask(const ResourceLimits& limits,
                                     TrialPurpose purpose, int looks) {
  const bool must_hold =
      purpose == TrialPurpose::kConfirm || purpose == TrialPurpose::kUnlimited;
  // Each look is a chance to be wrong.
  const double confidence =
      must_hold ? 1 - (1 - request_.confidence) / kLooks : request_.confidence;
  std::vector<std::vector<TargetSamples>> observed;
  JointJudgement judgement;
  for (int look = 0; look < looks && runs_left() > 0; ++look) {
    auto trial = run_(limits);
    if (!trial) {
      error_ = trial.error();
      return Answer::kStop;
    }
    const TrialEnd end = trial->end;
    if (end == TrialEnd::kCancelled) {
      cancelled_ = true;
      return Answer::kStop;
    }
    if (trial->peak_bytes && end == TrialEnd::kDone) {
      peak_bytes_ = std::max(peak_bytes_.value_or(0), *trial->peak_bytes);
    }
    observed.push_back(trial->observations);
    const bool empty = std::any_of(
        observed.back().begin(), observed.back().end(),
        [](const TargetSamples& each) { return each.samples.empty(); });
    if (end == TrialEnd::kDone) {
      judgement = JudgeAll(request_.targets, observed, confidence);
    }
    if (end != TrialEnd::kDone || empty) {
      judgement.standing = Standing::kNotMet;
    }
    steps_.push_back({purpose, std::move(*trial), judgement});
    if (listener_) {
      listener_(steps_.back());
    }
    if (end == TrialEnd::kOutOfMemory) {
      return Answer::kOutOfMemory;
    }
    if (judgement.standing != Standing::kUndecided) {
      return judgement.standing == Standing::kMet ? Answer::kYes : Answer::kNo;
    }
    if (!must_hold && std::abs(judgement.lead) > kFarLead) {
      break;
    }
  }
  return !must_hold && judgement.lead > kFarLead ? Answer::kYes : Answer::kNo;
}

}  // namespace edgewise
