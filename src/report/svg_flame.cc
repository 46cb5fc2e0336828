#include "report/svg_flame.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/units.h"
#include "report/svg.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

constexpr double kWidth = 1200;
constexpr double kMargin = 10;
constexpr double kTop = 34;
constexpr double kRow = 18;
constexpr double kNarrowest = 0.3;  // pixels; less cannot be seen
constexpr double kLetter = 6.6;     // pixels a column of this font takes

// Where each node lies, in samples from the left, and how deep.
struct Layout {
  std::vector<double> start;
  std::vector<int> depth;
  int deepest = 0;
};

Layout LayOut(const FlameTree& tree, const std::vector<int64_t>& totals) {
  std::vector<std::vector<size_t>> children(tree.nodes.size());
  std::vector<size_t> outermost;
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    const int32_t parent = tree.nodes[i].parent;
    (parent < 0 ? outermost : children[static_cast<size_t>(parent)])
        .push_back(i);
  }
  Layout layout{std::vector<double>(tree.nodes.size()),
                std::vector<int>(tree.nodes.size()), 0};
  const auto place = [&](std::vector<size_t>& siblings, double from,
                         int depth) {
    std::stable_sort(siblings.begin(), siblings.end(),
                     [&](size_t a, size_t b) { return totals[a] > totals[b]; });
    for (const size_t node : siblings) {
      layout.start[node] = from;
      layout.depth[node] = depth;
      from += static_cast<double>(totals[node]);
    }
  };
  place(outermost, 0, 0);
  // Parents lie before their children.
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    place(children[i], layout.start[i], layout.depth[i] + 1);
    layout.deepest = std::max(layout.deepest, layout.depth[i]);
  }
  return layout;
}

std::string Tooltip(const FlameFunction& function, int64_t samples,
                    int64_t total) {
  std::string text = fmt::format(
      "{} ({:.2f}%, {})", function.name,
      100 * static_cast<double>(samples) / static_cast<double>(total),
      FormatCount(samples));
  if (!function.file.empty()) {
    text += " " + function.file;
    if (function.first_line > 0) {
      text += ":" + std::to_string(function.first_line);
    }
  } else if (!function.module.empty()) {
    text += " " + function.module;
  }
  return text;
}

}  // namespace

std::string FlameSvg(const FlameTree& tree, std::string_view title) {
  const std::vector<int64_t> totals = NodeTotals(tree);
  const Layout layout = LayOut(tree, totals);
  const double scale = (kWidth - 2 * kMargin) /
                       static_cast<double>(std::max<int64_t>(tree.total, 1));
  SvgPicture picture(kWidth, kTop + kRow * (layout.deepest + 1) + kMargin,
                     title);
  picture.Text(kMargin, 22, Anchor::kStart, FitWidth(Printable(title), 140),
               "ink title");
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    const double width = static_cast<double>(totals[i]) * scale;
    if (width < kNarrowest) {
      continue;
    }
    const FlameFunction& function =
        tree.functions[static_cast<size_t>(tree.nodes[i].function)];
    const double x = kMargin + layout.start[i] * scale;
    const double y = kTop + kRow * layout.depth[i];
    picture.BeginGroup(Tooltip(function, totals[i], tree.total));
    picture.Rect(x, y, std::max(width - 0.6, 0.2), kRow - 1,
                 fmt::format("kind{}", static_cast<int>(function.kind)));
    const int room = static_cast<int>((width - 6) / kLetter);
    if (room >= 3) {
      picture.Text(x + 3, y + 12.5, Anchor::kStart,
                   FitWidth(Printable(function.name), room), "dark");
    }
    picture.EndGroup();
  }
  return picture.text();
}

}  // namespace edgewise
