#include "spin/spin_work.h"

#include <algorithm>
#include <cmath>
#include <edgewise/edgewise.hpp>
#include <vector>

#include "base/clock.h"
#include "load/message_number.h"
#include "stats/random.h"

namespace edgewise::apps {
namespace {

constexpr uint64_t kFactor = 6364136223846793005u;
constexpr uint64_t kSummand = 1442695040888963407u;
constexpr int kTrials = 9;
constexpr int64_t kLeastTrialNs = 2'000'000;

}  // namespace

uint64_t Spin(uint64_t x, int64_t steps) {
  for (int64_t i = 0; i < steps; ++i) {
    x = x * kFactor + kSummand;
  }
  return x;
}

uint64_t SpinDirectly(uint64_t x, int64_t steps) {
  // Squares the step itself: after k rounds it does 2^k steps at once.
  uint64_t factor = kFactor;
  uint64_t summand = kSummand;
  for (; steps > 0; steps /= 2) {
    if (steps % 2 == 1) {
      x = x * factor + summand;
    }
    summand *= factor + 1;
    factor *= factor;
  }
  return x;
}

int64_t CalibrateSteps(int64_t cpu_ns) {
  volatile uint64_t sink = 1;
  const auto cost_ns = [&sink](int64_t steps) {
    const uint64_t start_ns = edgewise_thread_cpu_ns();
    sink = Spin(sink, steps);
    return static_cast<double>(edgewise_thread_cpu_ns() - start_ns);
  };
  int64_t steps = 1 << 16;
  while (cost_ns(steps) < static_cast<double>(kLeastTrialNs)) {
    steps *= 2;
  }
  double best_ns = cost_ns(steps);
  for (int trial = 1; trial < kTrials; ++trial) {
    best_ns = std::min(best_ns, cost_ns(steps));
  }
  const double wanted =
      static_cast<double>(steps) / best_ns * static_cast<double>(cpu_ns);
  return std::max<int64_t>(1, std::llround(wanted));
}

SpinWork::SpinWork(int64_t steps_per_item, int threads, uint64_t seed,
                   Surge surge)
    : steps_per_item_(steps_per_item),
      surge_(surge),
      began_ns_(MonotonicNs()),
      crew_(threads),
      next_(stats::Random(seed).Next()) {}

int64_t SpinWork::StepsNow() const {
  const bool surging = MonotonicNs() - began_ns_ >= surge_.after_ns;
  const double steps = static_cast<double>(steps_per_item_) *
                       (surging ? surge_.factor : 1) / stride_.Get();
  return std::max<int64_t>(1, std::llround(steps));
}

Result<bool> SpinWork::Fetch() {
  next_ = stats::Random(next_).Next();
  return true;
}

Result<void> SpinWork::Take(std::string_view message) {
  const auto number = MessageNumber(message);
  if (!number) {
    return Error{ErrorCode::kInvalid,
                 "a message for spin must be a whole number"};
  }
  next_ = stats::Random(*number).Next();
  return {};
}

Result<void> SpinWork::Process(Checksum& checksum) {
  EDGEWISE_MEASURE("spin");
  const int parts = crew_.size();
  const int64_t steps = StepsNow();
  const auto steps_of = [&](int part) {
    return steps / parts + (part < steps % parts ? 1 : 0);
  };
  std::vector<uint64_t> ends(static_cast<size_t>(parts));
  crew_.Share(parts, [&](int first, int last, int) {
    for (int part = first; part < last; ++part) {
      ends[part] = Spin(next_ + static_cast<uint64_t>(part), steps_of(part));
    }
  });
  for (int part = 0; part < parts; ++part) {
    if (ends[part] !=
        SpinDirectly(next_ + static_cast<uint64_t>(part), steps_of(part))) {
      return Error{ErrorCode::kCorrupt,
                   "an item has a wrong result: this build or processor "
                   "computes wrongly"};
    }
  }
  checksum.Add(next_);
  return {};
}

}  // namespace edgewise::apps
