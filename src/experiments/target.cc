#include "experiments/target.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "base/text.h"
#include "base/units.h"

namespace edgewise {
namespace {

constexpr std::string_view kExamples =
    "write it like fps>=10, rate(frame)>=10, p95(frame)<=80ms (or p50, p90, "
    "p99, p99.9, mean, max), misses(frame)<=1% or wall<=30s";

Error Wrong(std::string_view text, std::string_view what) {
  return {ErrorCode::kInvalid,
          fmt::format("the target \"{}\" {}: {}", text, what, kExamples)};
}

std::string WithoutBlanks(std::string_view text) {
  return Join(
      [&] {
        std::vector<std::string> pieces;
        for (const std::string_view piece : SplitFields(text)) {
          pieces.emplace_back(piece);
        }
        return pieces;
      }(),
      "");
}

struct Name {
  TargetKind kind;
  double quantile = 0;
};

std::optional<Name> FindName(std::string_view word) {
  constexpr std::pair<std::string_view, Name> kNames[] = {
      {"fps", {TargetKind::kRate, 0}},
      {"rate", {TargetKind::kRate, 0}},
      {"p50", {TargetKind::kQuantile, 0.5}},
      {"p90", {TargetKind::kQuantile, 0.9}},
      {"p95", {TargetKind::kQuantile, 0.95}},
      {"p99", {TargetKind::kQuantile, 0.99}},
      {"p99.9", {TargetKind::kQuantile, 0.999}},
      {"mean", {TargetKind::kMean, 0}},
      {"max", {TargetKind::kMax, 0}},
      {"misses", {TargetKind::kMisses, 0}},
      {"wall", {TargetKind::kWall, 0}},
  };
  for (const auto& [name, meaning] : kNames) {
    if (name == word) {
      return meaning;
    }
  }
  return std::nullopt;
}

Result<double> ParseLimit(const Target& target, std::string_view text) {
  if (target.kind == TargetKind::kRate) {
    const auto rate = ParseDouble(text);
    if (!rate || !std::isfinite(*rate) || *rate <= 0) {
      return Wrong(target.text, "needs a number of items a second above 0");
    }
    return *rate;
  }
  if (target.kind == TargetKind::kMisses) {
    const bool percent = text.ends_with('%');
    const auto share =
        percent ? ParseDouble(text.substr(0, text.size() - 1)) : std::nullopt;
    if (!share || !(*share >= 0) || *share >= 100) {
      return Wrong(target.text, "needs a share such as 1% or 0%");
    }
    return *share / 100;
  }
  const auto ns = ParseDurationNs(text);
  if (!ns || (!text.empty() && text.back() >= '0' && text.back() <= '9')) {
    return Wrong(target.text, "needs a time with its unit, such as 80ms");
  }
  return static_cast<double>(*ns);
}

Result<Target> ParseTarget(std::string_view text) {
  Target target;
  target.text = WithoutBlanks(text);
  // A span's name keeps its blanks.
  text = Trim(text);
  const size_t relation = text.find_first_of("<>=", text.rfind(')') + 1);
  if (text.empty() || relation == std::string_view::npos) {
    return Wrong(target.text, "has no >= or <=");
  }
  std::string_view left = Trim(text.substr(0, relation));
  std::string_view word = left;
  if (const size_t open = left.find('('); open != std::string_view::npos) {
    if (left.back() != ')') {
      return Wrong(target.text, "has no closing )");
    }
    target.span = Trim(left.substr(open + 1, left.size() - open - 2));
    if (target.span.empty()) {
      return Wrong(target.text, "names no span between ( and )");
    }
    word = Trim(left.substr(0, open));
  }
  const auto name = FindName(word);
  if (!name) {
    return Wrong(target.text,
                 fmt::format("asks for \"{}\", which is not known", word));
  }
  target.kind = name->kind;
  target.quantile = name->quantile;
  if (!target.span.empty() &&
      (target.kind == TargetKind::kWall || word == "fps")) {
    return Wrong(target.text,
                 fmt::format("names a span, and {} has none", word));
  }
  const bool at_least = target.kind == TargetKind::kRate;
  std::string_view right = text.substr(relation);
  const std::string_view sign = at_least ? ">=" : "<=";
  if (!right.starts_with(sign)) {
    return Wrong(target.text, fmt::format("needs {} after {}", sign, word));
  }
  const auto limit = ParseLimit(target, Trim(right.substr(sign.size())));
  if (!limit) {
    return limit.error();
  }
  target.limit = *limit;
  return target;
}

}  // namespace

Result<std::vector<Target>> ParseTargets(std::string_view text) {
  std::vector<Target> targets;
  constexpr std::string_view kAnd = " and ";
  while (true) {
    const size_t end = text.find(kAnd);
    auto target = ParseTarget(text.substr(0, end));
    if (!target) {
      return target.error();
    }
    targets.push_back(std::move(*target));
    if (end == std::string_view::npos) {
      return targets;
    }
    text.remove_prefix(end + kAnd.size());
  }
}

std::string FigureText(const Target& target, double figure) {
  switch (target.kind) {
    case TargetKind::kRate:
      return fmt::format("{:.3g} {}", figure,
                         target.text.starts_with("fps") ? "fps" : "/s");
    case TargetKind::kMisses:
      return fmt::format("{:.3g}% missed", 100 * figure);
    case TargetKind::kQuantile:
    case TargetKind::kMean:
    case TargetKind::kMax:
    case TargetKind::kWall:
      break;
  }
  return FormatDuration(figure);
}

}  // namespace edgewise
