#include "control/knob_ladder.h"

#include <algorithm>

namespace edgewise::control {
namespace {

// Nothing is known of a step whose values do not tell.
constexpr double kGuess = 0.7;

double GuessStep(double from, double to) {
  return from > 0 && to > from ? std::max(0.3, from / to) : kGuess;
}

}  // namespace

void KnobLadder::SetKnobs(const std::vector<KnobChoice>& choices,
                          const std::vector<KnobState>& declared) {
  std::vector<KnobChoice> usable;
  for (const KnobChoice& choice : choices) {
    const auto knob = std::find_if(
        declared.begin(), declared.end(),
        [&](const auto& each) { return each.name == choice.name; });
    if (knob == declared.end()) {
      continue;
    }
    KnobChoice within{choice.name, {}};
    std::copy_if(choice.values.begin(), choice.values.end(),
                 std::back_inserter(within.values), [&](double value) {
                   return value >= knob->least && value <= knob->most;
                 });
    if (!within.values.empty()) {
      usable.push_back(std::move(within));
    }
  }
  std::vector<std::vector<std::pair<std::string, double>>> values(1);
  std::vector<double> factors;
  for (const KnobChoice& knob : usable) {
    values.front().emplace_back(knob.name, knob.values.front());
  }
  for (size_t k = 0; k < usable.size(); ++k) {
    for (size_t v = 1; v < usable[k].values.size(); ++v) {
      values.push_back(values.back());
      values.back()[k].second = usable[k].values[v];
      factors.push_back(
          GuessStep(usable[k].values[v - 1], usable[k].values[v]));
    }
  }
  if (values != values_) {
    *this = KnobLadder();
    values_ = std::move(values);
    step_factors_ = std::move(factors);
  }
}

std::vector<double> KnobLadder::CoresAtLevels(double cores) const {
  std::vector<double> all(levels(), cores);
  for (size_t i = level_ + 1; i < all.size(); ++i) {
    all[i] = all[i - 1] * step_factors_[i - 1];
  }
  for (size_t i = level_; i-- > 0;) {
    all[i] = all[i + 1] / step_factors_[i];
  }
  return all;
}

size_t KnobLadder::BestLevelNow(int64_t now_ns) const {
  const bool may_return =
      level_ > 0 && turned_ns_ != 0 && now_ns - turned_ns_ >= wait_ns_;
  return may_return ? level_ - 1 : level_;
}

void KnobLadder::Turn(size_t level, double cores_before, int64_t now_ns) {
  if (level == level_) {
    return;
  }
  if (level < level_) {
    returned_ns_ = now_ns;
  } else if (returned_ns_ != 0 && now_ns - returned_ns_ < 2 * wait_ns_) {
    wait_ns_ = std::min(kLongestWaitNs, 2 * wait_ns_);
  }
  level_before_ = level_;
  cores_before_ = cores_before;
  to_learn_ = true;
  level_ = level;
  turned_ns_ = now_ns;
}

void KnobLadder::Learn(double cores, int64_t now_ns) {
  if (!to_learn_ || IsSettling(now_ns) || cores_before_ <= 0 || cores <= 0) {
    return;
  }
  to_learn_ = false;
  // Over one step; those of several at once cannot be told apart.
  if (level_ == level_before_ + 1) {
    step_factors_[level_before_] = std::clamp(cores / cores_before_, 0.2, 1.0);
  } else if (level_ + 1 == level_before_) {
    step_factors_[level_] = std::clamp(cores_before_ / cores, 0.2, 1.0);
  }
}

}  // namespace edgewise::control
