#include "report/pictures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "base/units.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

constexpr std::array<std::string_view, 8> kRising{"▁", "▂", "▃", "▄",
                                                  "▅", "▆", "▇", "█"};
constexpr std::array<std::string_view, 7> kEighths{"▏", "▎", "▍", "▌",
                                                   "▋", "▊", "▉"};

constexpr int kWidestBar = 60;

// `eighths` eighths of a column, at least one.
std::string Blocks(int64_t eighths, bool unicode) {
  std::string blocks;
  for (int64_t i = 0; i < eighths / 8; ++i) {
    blocks += unicode ? "█" : "#";
  }
  const int64_t rest = eighths % 8;
  if (rest > 0) {
    if (unicode) {
      blocks += kEighths[static_cast<size_t>(rest - 1)];
    } else if (rest >= 4 || blocks.empty()) {
      blocks += rest >= 4 ? "#" : ".";
    }
  }
  return blocks;
}

}  // namespace

std::string Sparkline(std::span<const double> values, int width,
                      const TextStyle& style) {
  std::vector<double> finite;
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite),
               [](double value) { return std::isfinite(value); });
  if (finite.empty() || width < 1) {
    return "";
  }
  const size_t columns = std::min(finite.size(), static_cast<size_t>(width));
  std::vector<double> means;
  for (size_t column = 0; column < columns; ++column) {
    const size_t first = column * finite.size() / columns;
    const size_t end = (column + 1) * finite.size() / columns;
    double sum = 0;
    for (size_t i = first; i < end; ++i) {
      sum += finite[i];
    }
    means.push_back(sum / static_cast<double>(end - first));
  }
  const double low =
      std::min(0.0, *std::min_element(means.begin(), means.end()));
  const double high = *std::max_element(means.begin(), means.end());
  std::string line;
  for (const double mean : means) {
    const double share = high > low ? (mean - low) / (high - low) : 0;
    const double level = std::clamp(std::round(share * 7), 0.0, 7.0);
    line += kRising[static_cast<size_t>(level)];
  }
  return style.unicode ? line : ToAscii(line);
}

std::string BarChart(const std::vector<Bar>& bars, const TextStyle& style,
                     int indent) {
  int64_t most = 0;
  int label_width = 0;
  int count_width = 0;
  for (const Bar& bar : bars) {
    most = std::max(most, bar.count);
    label_width = std::max(label_width, DisplayWidth(bar.label));
    count_width = std::max(count_width, DisplayWidth(FormatCount(bar.count)));
  }
  if (most <= 0) {
    return "";
  }
  const int64_t room = std::clamp(
      style.width - indent - label_width - count_width - 4, 8, kWidestBar);
  std::string chart;
  for (const Bar& bar : bars) {
    const double share =
        static_cast<double>(bar.count) / static_cast<double>(most);
    const auto eighths = static_cast<int64_t>(
        std::llround(share * static_cast<double>(room) * 8));
    chart.append(static_cast<size_t>(indent), ' ');
    chart += PadWidth(bar.label, label_width, /*right=*/true) + "  ";
    chart += PadWidth(FormatCount(bar.count), count_width, /*right=*/true);
    if (bar.count > 0) {
      chart += "  " + Blocks(std::max<int64_t>(1, eighths), style.unicode);
    }
    chart += '\n';
  }
  return style.unicode ? chart : ToAscii(chart);
}

std::string ShareBar(double share, int width) {
  if (share <= 0) {
    return "";
  }
  const auto eighths = static_cast<int64_t>(
      std::llround(std::min(share, 1.0) * static_cast<double>(width) * 8));
  return Blocks(std::max<int64_t>(1, eighths), /*unicode=*/true);
}

}  // namespace edgewise
