#include "report/total_names.h"

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "base/text.h"
#include "report/figures.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 6>
    kAbbreviations{{{"cpu", "CPU"},
                    {"rss", "RSS"},
                    {"pss", "PSS"},
                    {"psi", "PSI"},
                    {"io", "I/O"},
                    {"net", "network"}}};

std::string Word(std::string_view word) {
  for (const auto& [plain, shown] : kAbbreviations) {
    if (word == plain) {
      return std::string(shown);
    }
  }
  return Printable(word);
}

}  // namespace

std::string TotalTitle(std::string_view name, std::string_view unit) {
  std::vector<std::string> words;
  auto pieces = Split(name, '_');
  const std::string_view last = pieces.back();
  if (pieces.size() > 1 && (last == unit || (last == "j" && unit == "J"))) {
    pieces.pop_back();
  }
  for (const std::string_view piece : pieces) {
    words.push_back(Word(piece));
  }
  return Join(words, " ");
}

std::string TotalValueText(std::optional<double> value, std::string_view unit) {
  if (!value || !std::isfinite(*value)) {
    return std::string(kUnknown);
  }
  if (unit == "s") {
    return SecondsText(value);
  }
  if (unit == "bytes" && std::fabs(*value) < 9e18) {
    return BytesText(std::llround(*value));
  }
  const std::string figure = Figure(*value);
  return unit.empty() ? figure : figure + " " + std::string(unit);
}

Cell VerdictCell(stats::Verdict verdict, std::string_view unit, bool decides) {
  const bool time = unit == "s" || unit == "ms";
  const bool memory = unit == "bytes";
  switch (verdict) {
    case stats::Verdict::kFaster:
      return {time ? "faster" : (memory ? "smaller" : "lower"),
              decides ? Tone::kGood : Tone::kPlain};
    case stats::Verdict::kSlower:
      return {time ? "slower" : (memory ? "larger" : "higher"),
              decides ? Tone::kBad : Tone::kPlain};
    case stats::Verdict::kNoDifference:
    case stats::Verdict::kInsufficient:
      return {std::string(stats::VerdictText(verdict)), Tone::kDim};
  }
  return {std::string(kUnknown)};
}

}  // namespace edgewise
