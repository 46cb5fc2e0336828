#include "impair/impairment.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/nearest.h"
#include "base/text.h"
#include "base/units.h"

namespace edgewise {
namespace {

constexpr std::array<const char*, 5> kKeys = {"delay", "jitter", "loss", "rate",
                                              "disconnect"};
constexpr double kMaxLoss = 0.5;
// Beyond a minute every protocol has given up.
constexpr int64_t kMaxDelayNs = 60 * kNsPerSecond;
constexpr int64_t kMinDisconnectNs = 10 * kNsPerMs;
constexpr int64_t kMaxRate = 1'000'000'000'000;
constexpr int64_t kMinRate = 1000;

struct RateUnit {
  std::string_view name;
  double bits_per_s;
};
// The longest first, because "bit" ends them all.
constexpr std::array<RateUnit, 4> kRateUnits{
    {{"gbit", 1e9}, {"mbit", 1e6}, {"kbit", 1e3}, {"bit", 1}}};

Error Invalid(std::string message) {
  return {ErrorCode::kInvalid, std::move(message)};
}

// "0", or a duration; a number without a unit would be seconds, which nobody
// means by delay=40.
Result<int64_t> ParseTime(std::string_view key, std::string_view text) {
  if (text == "0") {
    return int64_t{0};
  }
  const auto ns = ParseDurationNs(text);
  if (!ns || text.find_first_not_of("0123456789.") == std::string_view::npos) {
    return Invalid(fmt::format(
        "{}=\"{}\" is not a time: write a number and a unit, as in {}=40ms",
        key, text, key));
  }
  return *ns;
}

Result<int64_t> ParseDelay(std::string_view key, std::string_view text) {
  const auto ns = ParseTime(key, text);
  if (ns && *ns > kMaxDelayNs) {
    return Invalid(fmt::format("{}={} is too long: write at most {}", key, text,
                               FormatDuration(double{kMaxDelayNs})));
  }
  return ns;
}

Result<double> ParseLoss(std::string_view text) {
  const bool percent = text.ends_with('%');
  const auto number =
      ParseDouble(text.substr(0, text.size() - (percent ? 1 : 0)));
  if (!percent || !number || !(*number >= 0) || !(*number <= 100 * kMaxLoss)) {
    return Invalid(fmt::format(
        "loss=\"{}\" is not a share that can be lost: write 0% to {:.0f}%, as "
        "in loss=1%",
        text, 100 * kMaxLoss));
  }
  return *number / 100;
}

Result<int64_t> ParseRate(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    letter = letter >= 'A' && letter <= 'Z'
                 ? static_cast<char>(letter - 'A' + 'a')
                 : letter;
  }
  std::string_view rest = lower;
  if (rest.ends_with("/s")) {
    rest.remove_suffix(2);
  }
  for (const RateUnit& unit : kRateUnits) {
    if (!rest.ends_with(unit.name)) {
      continue;
    }
    rest.remove_suffix(unit.name.size());
    const auto number = ParseDouble(rest);
    const double rate =
        number ? std::round(*number * unit.bits_per_s) : std::nan("");
    if (!(rate >= double{kMinRate}) || !(rate <= double{kMaxRate})) {
      break;
    }
    return static_cast<int64_t>(rate);
  }
  return Invalid(fmt::format(
      "rate=\"{}\" is not a rate: write bits per second from 1kbit to "
      "1000gbit, as in rate=1mbit",
      text));
}

// "every:10s" or "every:10s:for:2s".
Result<void> ParseDisconnect(std::string_view text, Impairment* impairment) {
  const std::vector<std::string_view> words = Split(text, ':');
  const bool has_for = words.size() == 4 && words[2] == "for";
  if (words[0] != "every" || (words.size() != 2 && !has_for)) {
    return Invalid(fmt::format(
        "disconnect=\"{}\" does not say when: write disconnect=every:10s, or "
        "disconnect=every:10s:for:2s to refuse connections for 2 s each time",
        text));
  }
  const auto every = ParseTime("disconnect=every", words[1]);
  const auto lasting =
      has_for ? ParseTime("disconnect=for", words[3]) : Result<int64_t>(0);
  for (const auto* parsed : {&every, &lasting}) {
    if (!*parsed) {
      return parsed->error();
    }
  }
  if (*every < kMinDisconnectNs || *lasting >= *every) {
    return Invalid(fmt::format(
        "disconnect=\"{}\" leaves no time to be connected: every must be at "
        "least {}, and longer than for",
        text, FormatDuration(double{kMinDisconnectNs})));
  }
  impairment->disconnect_every_ns = *every;
  impairment->disconnect_for_ns = *lasting;
  return {};
}

template <typename From, typename To>
Result<void> Take(const Result<From>& parsed, To* place) {
  if (!parsed) {
    return parsed.error();
  }
  *place = *parsed;
  return {};
}

Result<void> Apply(std::string_view key, std::string_view value,
                   Impairment* impairment) {
  if (key == "delay") {
    return Take(ParseDelay(key, value), &impairment->delay_ns);
  }
  if (key == "jitter") {
    return Take(ParseDelay(key, value), &impairment->jitter_ns);
  }
  if (key == "loss") {
    return Take(ParseLoss(value), &impairment->loss);
  }
  if (key == "rate") {
    return Take(ParseRate(value), &impairment->rate_bits_per_s);
  }
  return ParseDisconnect(value, impairment);
}

Error UnknownKey(std::string_view key) {
  const std::vector<std::string> known(kKeys.begin(), kKeys.end());
  const auto meant = Nearest(key, known);
  return Invalid(fmt::format("there is no impairment \"{}\": {}", key,
                             meant ? "did you mean " + *meant + "?"
                                   : "choose from " + Join(known, ", ")));
}

// The largest unit in which it is a whole number: exact both ways.
std::string ExactTime(int64_t ns) {
  if (ns % kNsPerSecond == 0) {
    return fmt::format("{}s", ns / kNsPerSecond);
  }
  if (ns % kNsPerMs == 0) {
    return fmt::format("{}ms", ns / kNsPerMs);
  }
  return ns % 1000 == 0 ? fmt::format("{}us", ns / 1000)
                        : fmt::format("{}ns", ns);
}

std::string ExactRate(int64_t bits_per_s) {
  for (const RateUnit& unit : kRateUnits) {
    const auto factor = static_cast<int64_t>(unit.bits_per_s);
    if (bits_per_s % factor == 0) {
      return fmt::format("{}{}", bits_per_s / factor, unit.name);
    }
  }
  return "";
}

}  // namespace

Result<Impairment> ParseImpairment(std::string_view text) {
  Impairment impairment;
  if (Trim(text) == "none") {
    return impairment;
  }
  std::vector<std::string_view> seen;
  for (const std::string_view piece : Split(text, ',')) {
    const std::string_view pair = Trim(piece);
    const size_t equals = pair.find('=');
    const std::string_view key = pair.substr(0, equals);
    if (key.empty()) {
      return Invalid(fmt::format(
          "\"{}\" is not an impairment: write keys with values, as in "
          "delay=40ms,loss=1%, or none",
          text));
    }
    if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end()) {
      return UnknownKey(key);
    }
    if (equals == std::string_view::npos) {
      return Invalid(fmt::format("{} has no value: write {}=...", key, key));
    }
    if (std::find(seen.begin(), seen.end(), key) != seen.end()) {
      return Invalid(fmt::format("{} is there twice: write it once", key));
    }
    seen.push_back(key);
    if (auto applied = Apply(key, pair.substr(equals + 1), &impairment);
        !applied) {
      return applied.error();
    }
  }
  if (impairment.jitter_ns > impairment.delay_ns) {
    return Invalid(fmt::format(
        "jitter={} is more than delay={}: nothing can come early, so write a "
        "delay of at least the jitter",
        ExactTime(impairment.jitter_ns), ExactTime(impairment.delay_ns)));
  }
  return impairment;
}

std::string FormatImpairment(const Impairment& impairment) {
  std::vector<std::string> pieces;
  if (impairment.delay_ns > 0) {
    pieces.push_back("delay=" + ExactTime(impairment.delay_ns));
  }
  if (impairment.jitter_ns > 0) {
    pieces.push_back("jitter=" + ExactTime(impairment.jitter_ns));
  }
  if (impairment.loss > 0) {
    pieces.push_back(fmt::format("loss={:.15g}%", 100 * impairment.loss));
  }
  if (impairment.rate_bits_per_s) {
    pieces.push_back("rate=" + ExactRate(*impairment.rate_bits_per_s));
  }
  if (impairment.disconnect_every_ns) {
    std::string text =
        "disconnect=every:" + ExactTime(*impairment.disconnect_every_ns);
    if (impairment.disconnect_for_ns > 0) {
      text += ":for:" + ExactTime(impairment.disconnect_for_ns);
    }
    pieces.push_back(std::move(text));
  }
  return pieces.empty() ? "none" : Join(pieces, ",");
}

}  // namespace edgewise
