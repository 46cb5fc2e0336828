#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "base/units.h"
#include "store/gate.h"
#include "store/totals.h"

namespace edgewise {
namespace {

constexpr std::string_view kForm =
    "write FIGURE > LIMIT, such as 'p95 > 1.10x', 'frame p99 > 40ms' or "
    "'memory > +10%'";

constexpr std::array<std::pair<std::string_view, double>, 6> kSpanFigures{
    {{"mean", 0},
     {"p50", 0.5},
     {"median", 0.5},
     {"p90", 0.9},
     {"p95", 0.95},
     {"p99", 0.99}}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 5>
    kTotalWords{{{"wall", "wall_s"},
                 {"cpu", "cpu_s"},
                 {"memory", "tree_peak_bytes"},
                 {"rss", "max_rss_bytes"},
                 {"energy", "energy_j"}}};

Error Refuse(std::string_view text, const std::string& what) {
  return {ErrorCode::kInvalid, "\"" + std::string(text) + "\" is no gate, " +
                                   what + ": " + std::string(kForm)};
}

const TotalFigure* FindTotal(std::string_view word) {
  for (const auto& [known, name] : kTotalWords) {
    if (word == known) {
      word = name;
    }
  }
  const auto totals = TotalFigures();
  const auto found =
      std::find_if(totals.begin(), totals.end(),
                   [word](const TotalFigure& t) { return t.name == word; });
  return found == totals.end() ? nullptr : &*found;
}

// An amount in the unit of what is measured.
Result<double> ParseAmount(std::string_view limit, const Gate& gate) {
  const TotalFigure* const total = FindTotal(gate.total);
  const std::string_view unit = gate.quantile ? "ns" : total->unit;
  if (unit == "bytes") {
    const auto bytes = ParseBytes(limit);
    return bytes ? Result<double>(static_cast<double>(*bytes)) : bytes.error();
  }
  if (unit == "ns" || unit == "s") {
    if (ParseDouble(limit)) {
      return Error{ErrorCode::kInvalid, "a time needs its unit, such as " +
                                            std::string(limit) + "ms"};
    }
    const auto ns = ParseDurationNs(limit);
    return ns ? Result<double>(static_cast<double>(*ns) *
                               (unit == "s" ? 1e-9 : 1))
              : ns.error();
  }
  if (unit == "J" && limit.ends_with('J')) {
    limit.remove_suffix(1);
  }
  const auto number = ParseDouble(limit);
  return number ? Result<double>(*number)
                : Error{ErrorCode::kInvalid,
                        "\"" + std::string(limit) + "\" is no number"};
}

Result<void> SetLimit(std::string_view limit, Gate& gate) {
  if (limit.ends_with('x') || limit.ends_with('%')) {
    const bool percent = limit.ends_with('%');
    const auto number = ParseDouble(Trim(
        limit.substr(limit.starts_with('+') ? 1 : 0,
                     limit.size() - 1 - (limit.starts_with('+') ? 1 : 0))));
    const double ratio = number ? (percent ? 1 + *number / 100 : *number) : 0;
    if (!number || !std::isfinite(ratio) || ratio <= 0) {
      return Error{ErrorCode::kInvalid,
                   "\"" + std::string(limit) + "\" is no ratio above 0"};
    }
    gate.limit = ratio;
    return {};
  }
  const auto amount = ParseAmount(limit, gate);
  if (!amount) {
    return amount.error();
  }
  gate.relative = false;
  gate.limit = *amount;
  return {};
}

}  // namespace

Result<Gate> ParseGate(std::string_view text) {
  Gate gate;
  gate.text = Trim(text);
  const size_t sign = text.find_last_of("<>");
  if (sign == std::string_view::npos) {
    return Refuse(text, "it has neither > nor <");
  }
  gate.above = text[sign] == '>';
  std::string_view limit = text.substr(sign + 1);
  // At a limit that is a real number "at least" and "more than" are one.
  limit = Trim(limit.starts_with('=') ? limit.substr(1) : limit);
  const std::string_view figure = Trim(text.substr(0, sign));
  const size_t blank = figure.find_last_of(" \t");
  const std::string_view word =
      blank == std::string_view::npos ? figure : figure.substr(blank + 1);
  if (blank != std::string_view::npos) {
    gate.span = Trim(figure.substr(0, blank));
  }
  for (const auto& [known, p] : kSpanFigures) {
    if (word == known) {
      gate.quantile = p;
    }
  }
  if (!gate.quantile) {
    const TotalFigure* const total = FindTotal(word);
    if (total == nullptr) {
      return Refuse(text, "\"" + std::string(word) +
                              "\" is not among mean, p50, p90, p95, p99, wall, "
                              "cpu, memory, rss and energy");
    }
    if (!gate.span.empty()) {
      return Refuse(text, std::string(word) +
                              " is of the whole program, not "
                              "of a span");
    }
    gate.total = total->name;
    gate.word = word;
  }
  if (limit.empty()) {
    return Refuse(text, "it has no limit");
  }
  if (const auto set = SetLimit(limit, gate); !set) {
    return Refuse(text, set.error().message);
  }
  return gate;
}

}  // namespace edgewise
