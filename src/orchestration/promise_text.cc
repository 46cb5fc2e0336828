#include "orchestration/promise_text.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
#include "base/units.h"

namespace edgewise::orchestration {
namespace {

constexpr double kMostMs = 3.2e10;  // about a year

}  // namespace

std::optional<double> ParseQuantile(std::string_view text) {
  const bool percent = text.starts_with("p");
  const auto number = ParseDouble(percent ? text.substr(1) : text);
  if (!number) {
    return std::nullopt;
  }
  const double quantile = percent ? *number / 100 : *number;
  return quantile >= 0.5 && quantile <= 0.9999 ? std::optional(quantile)
                                               : std::nullopt;
}

std::string QuantileText(double quantile) {
  return fmt::format("p{:.6g}", quantile * 100);
}

std::string PromiseText(const Sla& sla) {
  return fmt::format("{} within {} ms", QuantileText(sla.quantile),
                     FormatMs(sla.delay_ns));
}

std::optional<Sla> ParsePromise(std::string_view text) {
  const auto words = SplitFields(text);
  if (words.size() != 4 || words[1] != "within" || words[3] != "ms") {
    return std::nullopt;
  }
  const auto quantile = ParseQuantile(words[0]);
  const auto ms = ParseDouble(words[2]);
  if (!quantile || !ms || !(*ms >= 1e-6 && *ms <= kMostMs)) {
    return std::nullopt;
  }
  return Sla{*quantile, std::llround(*ms * 1e6)};
}

}  // namespace edgewise::orchestration
