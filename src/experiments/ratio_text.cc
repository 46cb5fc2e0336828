#include "experiments/ratio_text.h"

#include <fmt/format.h>

namespace edgewise {

std::string RatioText(const stats::Comparison& comparison) {
  if (!comparison.ratio) {
    return "--";
  }
  std::string text = fmt::format("{:.2f}×", *comparison.ratio);
  if (comparison.low && comparison.high) {
    text += fmt::format(" ({:.2f}–{:.2f})", *comparison.low, *comparison.high);
  } else {
    text += " (insufficient samples)";
  }
  return text;
}

}  // namespace edgewise
