#include "clocks/wall_clock.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "base/clock.h"
#include "base/text.h"

namespace edgewise::clocks {
namespace {

constexpr char kSkewVariable[] = "EDGEWISE_CLOCK_SKEW_NS";
constexpr char kDriftVariable[] = "EDGEWISE_CLOCK_DRIFT_PPM";
// What a wrong clock may be wrong by: a century, and a percent.
constexpr double kMaxSkewNs = 3.2e18;
constexpr double kMaxDriftPpm = 10'000;

// 0 if the variable is not set.
Result<double> Read(const char* variable, double most) {
  const char* text = std::getenv(variable);
  if (text == nullptr || *text == '\0') {
    return 0.0;
  }
  const auto value = ParseDouble(text);
  if (!value || !(std::abs(*value) <= most)) {
    return Error{ErrorCode::kInvalid,
                 "$" + std::string(variable) + " is \"" + text +
                     "\", which is not a number that a clock can be wrong by: "
                     "unset it"};
  }
  return *value;
}

}  // namespace

Result<WallClock> WallClock::FromEnvironment() {
  const auto skew = Read(kSkewVariable, kMaxSkewNs);
  const auto drift = Read(kDriftVariable, kMaxDriftPpm);
  for (const auto* read : {&skew, &drift}) {
    if (!*read) {
      return read->error();
    }
  }
  return WallClock(std::llround(*skew), *drift);
}

WallClock::WallClock(int64_t skew_ns, double drift_ppm)
    : drift_(drift_ppm * 1e-6), wrong_(skew_ns != 0 || drift_ppm != 0) {
  // The two clocks cannot be read at once: the closest of a few readings.
  int64_t closest_ns = std::numeric_limits<int64_t>::max();
  for (int i = 0; i < 8; ++i) {
    const int64_t before_ns = MonotonicNs();
    const int64_t utc_ns = UtcNs();
    const int64_t took_ns = MonotonicNs() - before_ns;
    if (took_ns < closest_ns) {
      closest_ns = took_ns;
      monotonic_start_ns_ = before_ns + took_ns / 2;
      utc_start_ns_ = utc_ns + skew_ns;
    }
  }
}

int64_t WallClock::NowNs() const { return At(MonotonicNs()); }

int64_t WallClock::At(int64_t monotonic_ns) const {
  const int64_t since_ns = monotonic_ns - monotonic_start_ns_;
  // Apart, so that a clock that is right is so to the nanosecond.
  const int64_t gained_ns =
      drift_ == 0 ? 0 : std::llround(static_cast<double>(since_ns) * drift_);
  return utc_start_ns_ + since_ns + gained_ns;
}

}  // namespace edgewise::clocks
