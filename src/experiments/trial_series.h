// Trials under a budget: whether limits are enough, asked as often as needed.
// Private to the search for least resources.
#ifndef EDGEWISE_EXPERIMENTS_TRIAL_SERIES_H_
#define EDGEWISE_EXPERIMENTS_TRIAL_SERIES_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/result.h"
#include "experiments/least_resources.h"

namespace edgewise {

// The request, runner and listener must outlive it.
class TrialSeries {
 public:
  static constexpr int kLooks = 3;  // trials of one point at most

  enum class Answer { kYes, kNo, kOutOfMemory, kStop };

  TrialSeries(const FitRequest& request, const TrialRunner& run,
              const FitListener& listener)
      : request_(request), run_(run), listener_(listener) {}

  // Trials of one point until they decide it; `looks` at most. For the search
  // undecided figures that are far enough on one side decide it as well, and
  // what stays undecided is a no. To confirm, and without limits, only a
  // target that is met at the confidence is a yes; as each look is a chance to
  // be wrong, each gets a third of what confidence leaves.
  Answer Ask(const ResourceLimits& limits, TrialPurpose purpose, int looks);

  // 0 once it is stopped.
  int runs_left() const {
    return stopped() ? 0 : request_.max_runs - static_cast<int>(steps_.size());
  }
  const std::vector<FitStep>& steps() const { return steps_; }
  std::vector<FitStep> TakeSteps() { return std::move(steps_); }
  // Of all trials that ended as planned.
  std::optional<int64_t> peak_bytes() const { return peak_bytes_; }
  // Why kStop was answered.
  const std::optional<Error>& error() const { return error_; }
  bool cancelled() const { return cancelled_; }
  bool stopped() const { return error_ || cancelled_; }

 private:
  const FitRequest& request_;
  const TrialRunner& run_;
  const FitListener& listener_;
  std::vector<FitStep> steps_;
  std::optional<int64_t> peak_bytes_;
  std::optional<Error> error_;
  bool cancelled_ = false;
};

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_TRIAL_SERIES_H_
