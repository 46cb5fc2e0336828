#include "experiments/contend_advice.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/text.h"
#include "stress/stress_spec.h"

namespace edgewise {
namespace {

std::string Times(double ratio) {
  const auto hundredths = static_cast<int64_t>(std::lround(ratio * 100));
  const std::string digits = std::to_string(hundredths % 100);
  return std::to_string(hundredths / 100) + "." +
         (digits.size() < 2 ? "0" : "") + digits + "×";
}

// "memory bandwidth pressure" or "audio".
std::string Source(const std::vector<std::string>& beside, std::string* at) {
  if (beside.size() == 1) {
    if (const auto spec = ParseStressSpec(beside.front())) {
      const std::string text = FormatStressSpec(*spec);
      *at = " at " + text.substr(text.find(':') + 1) + "%";
      return std::string(StressKindText(spec->kind)) + " pressure";
    }
  }
  return Join(beside, " and ");
}

bool Slower(const SlowDown& each) {
  return each.p50.verdict == stats::Verdict::kSlower;
}

std::string WorstOf(const std::string& app,
                    const std::vector<SlowDown>& slow_downs) {
  const SlowDown* worst = nullptr;
  bool any = false;
  bool unsure = false;
  for (const SlowDown& each : slow_downs) {
    if (each.actor != app || !each.p50.ratio) {
      continue;
    }
    any = true;
    unsure = unsure || each.p50.verdict == stats::Verdict::kInsufficient;
    if (Slower(each) &&
        (worst == nullptr || *each.p50.ratio > *worst->p50.ratio)) {
      worst = &each;
    }
  }
  if (!any) {
    return "";
  }
  if (worst == nullptr && unsure) {
    return app +
           " has too few items to say what its neighbours cost: make "
           "--duration longer, or --repeat 5";
  }
  if (worst == nullptr) {
    return app +
           " was not shown to suffer from any neighbour measured here: it can "
           "share this machine";
  }
  std::string at;
  const std::string source = Source(worst->beside, &at);
  std::string text = app + " suffers most beside " + source + ": p50 " +
                     Times(*worst->p50.ratio) + at;
  if (worst->p95.ratio) {
    text += ", p95 " + Times(*worst->p95.ratio);
  }
  return text;
}

}  // namespace

std::vector<std::string> ContendAdvice(
    const std::vector<std::string>& apps,
    const std::vector<SlowDown>& slow_downs) {
  std::vector<std::string> advice;
  for (const std::string& app : apps) {
    if (std::string worst = WorstOf(app, slow_downs); !worst.empty()) {
      advice.push_back(std::move(worst));
    }
  }
  const SlowDown* worst = nullptr;
  for (const SlowDown& each : slow_downs) {
    const bool pair =
        each.beside.size() == 1 &&
        std::find(apps.begin(), apps.end(), each.beside.front()) != apps.end();
    if (pair && Slower(each) &&
        (worst == nullptr || *each.p50.ratio > *worst->p50.ratio)) {
      worst = &each;
    }
  }
  if (worst != nullptr) {
    advice.push_back("keep " + worst->actor + " and " +
                     (worst->beside.front() == worst->actor
                          ? "another of its kind"
                          : worst->beside.front()) +
                     " apart if you can: other cores, other times, or another "
                     "machine");
  }
  return advice;
}

}  // namespace edgewise
