#include "store/iso_time.h"

#include <chrono>

#include "base/clock.h"
#include "base/text.h"

namespace edgewise {
namespace {

// `digits` decimal digits at the start of `text`, which is moved on.
std::optional<int> TakeNumber(std::string_view& text, size_t digits) {
  if (text.size() < digits) {
    return std::nullopt;
  }
  const std::string_view part = text.substr(0, digits);
  if (part.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::nullopt;
  }
  text.remove_prefix(digits);
  return static_cast<int>(*ParseInt(part));
}

bool TakeChar(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == std::string_view::npos) {
    return false;
  }
  text.remove_prefix(1);
  return true;
}

// Up to nine digits after a point, as nanoseconds; further ones are cut.
std::optional<int64_t> TakeFraction(std::string_view& text) {
  if (!TakeChar(text, ".")) {
    return 0;
  }
  int64_t ns = 0;
  int64_t weight = kNsPerSecond;
  bool any = false;
  while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    weight /= 10;
    ns += weight * (text.front() - '0');
    text.remove_prefix(1);
    any = true;
  }
  return any ? std::optional(ns) : std::nullopt;
}

// Minutes east of UTC of "", "Z", "+02:00" or "-0530".
std::optional<int> TakeOffset(std::string_view& text) {
  if (text.empty() || TakeChar(text, "Zz")) {
    return 0;
  }
  const int sign = text.front() == '-' ? -1 : 1;
  if (!TakeChar(text, "+-")) {
    return std::nullopt;
  }
  const auto hours = TakeNumber(text, 2);
  TakeChar(text, ":");
  const auto minutes = TakeNumber(text, 2);
  if (!hours || !minutes || *hours > 23 || *minutes > 59) {
    return std::nullopt;
  }
  return sign * (*hours * 60 + *minutes);
}

}  // namespace

std::optional<int64_t> ParseIsoUtcNs(std::string_view text) {
  const auto year = TakeNumber(text, 4);
  const bool dash1 = TakeChar(text, "-");
  const auto month = TakeNumber(text, 2);
  const bool dash2 = TakeChar(text, "-");
  const auto day = TakeNumber(text, 2);
  const bool separator = TakeChar(text, "T ");
  const auto hour = TakeNumber(text, 2);
  const bool colon1 = TakeChar(text, ":");
  const auto minute = TakeNumber(text, 2);
  const bool colon2 = TakeChar(text, ":");
  const auto second = TakeNumber(text, 2);
  if (!year || !dash1 || !month || !dash2 || !day || !separator || !hour ||
      !colon1 || !minute || !colon2 || !second || *hour > 23 || *minute > 59 ||
      *second > 60) {
    return std::nullopt;
  }
  const auto fraction = TakeFraction(text);
  const auto offset_min = TakeOffset(text);
  const std::chrono::year_month_day date{
      std::chrono::year{*year},
      std::chrono::month{static_cast<unsigned>(*month)},
      std::chrono::day{static_cast<unsigned>(*day)}};
  if (!fraction || !offset_min || !text.empty() || !date.ok() || *year < 1970 ||
      *year > 2199) {
    return std::nullopt;
  }
  const int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  const int64_t seconds = ((days * 24 + *hour) * 60 + *minute) * 60 + *second -
                          int64_t{60} * *offset_min;
  return seconds * kNsPerSecond + *fraction;
}

}  // namespace edgewise
