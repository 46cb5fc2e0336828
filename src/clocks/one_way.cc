#include "clocks/one_way.h"

#include <fmt/format.h>

#include <cmath>

#include "base/units.h"

namespace edgewise::clocks {
namespace {

std::string Signed(int64_t ns) {
  return (ns < 0 ? "-" : "") +
         FormatDuration(std::abs(static_cast<double>(ns)));
}

}  // namespace

OneWay Between(const Moment& sent, const Moment& received) {
  OneWay result;
  result.latency_ns = received.at_ns - sent.at_ns;
  result.bound_ns = sent.bound_ns + received.bound_ns;
  if (result.latency_ns >= 0) {
    return result;
  }
  const int64_t most_ns = result.latency_ns + result.bound_ns;
  if (most_ns >= 0) {
    result.explanation =
        fmt::format("within the clocks' error of ±{}: it took at most {}",
                    FormatDuration(static_cast<double>(result.bound_ns)),
                    FormatDuration(static_cast<double>(most_ns)));
  } else if (result.bound_ns > 0) {
    result.explanation = fmt::format(
        "the clocks disagree by {} more than their exchange allows (±{}): one "
        "was set meanwhile, or the time was not read from it",
        FormatDuration(static_cast<double>(-most_ns)),
        FormatDuration(static_cast<double>(result.bound_ns)));
  } else {
    result.explanation = fmt::format(
        "received {} before it was sent, on what should be one clock: without "
        "an exchange between the clocks there is no telling",
        FormatDuration(static_cast<double>(-most_ns)));
  }
  return result;
}

std::string FormatOneWay(const OneWay& one_way) {
  std::string text = Signed(one_way.latency_ns);
  if (one_way.bound_ns > 0) {
    text += " ±" + FormatDuration(static_cast<double>(one_way.bound_ns));
  }
  if (one_way.explanation) {
    text += " (" + *one_way.explanation + ")";
  }
  return text;
}

}  // namespace edgewise::clocks
