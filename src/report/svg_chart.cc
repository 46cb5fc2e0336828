#include "report/svg_chart.h"

#include <fmt/format.h>

#include "report/utf8.h"

namespace edgewise {
namespace {

constexpr double kWidth = 760;
constexpr double kHeight = 340;
constexpr double kLeft = 66;
constexpr double kRight = 20;
constexpr double kTop = 56;
constexpr double kBottom = 48;
constexpr double kLegendLetter = 6.4;  // pixels a column of this font takes
constexpr size_t kColours = 6;

class Plot {
 public:
  explicit Plot(const SvgChart& chart)
      : chart_(chart), picture_(kWidth, kHeight, chart.title) {}

  std::string Draw() {
    DrawAxes();
    for (size_t i = 0; i < chart_.bands.size(); ++i) {
      picture_.Path(Placed(chart_.bands[i].outline), true,
                    fmt::format("band{}", i % kColours));
    }
    for (size_t i = 0; i < chart_.lines.size(); ++i) {
      DrawLine(chart_.lines[i], i % kColours);
    }
    picture_.Text(kLeft, 22, Anchor::kStart,
                  FitWidth(Printable(chart_.title), 90), "ink title");
    picture_.Text(kLeft, 40, Anchor::kStart,
                  FitWidth(Printable(chart_.note), 110), "faint");
    DrawLegend();
    return picture_.text();
  }

 private:
  double X(double value) const {
    return kLeft + PlaceOn(chart_.x, value) * (kWidth - kLeft - kRight);
  }
  double Y(double value) const {
    return kHeight - kBottom -
           PlaceOn(chart_.y, value) * (kHeight - kTop - kBottom);
  }

  SvgPicture::Points Placed(const SvgPicture::Points& points) const {
    SvgPicture::Points placed;
    for (const auto& [x, y] : points) {
      placed.emplace_back(X(x), Y(y));
    }
    return placed;
  }

  void DrawAxes() {
    for (const double tick : TicksOf(chart_.x, 9)) {
      picture_.Line(X(tick), kTop, X(tick), kHeight - kBottom, "grid");
      picture_.Text(X(tick), kHeight - kBottom + 16, Anchor::kMiddle,
                    TickText(tick), "faint");
    }
    for (const double tick : TicksOf(chart_.y, 6)) {
      picture_.Line(kLeft, Y(tick), kWidth - kRight, Y(tick), "grid");
      picture_.Text(kLeft - 8, Y(tick) + 4, Anchor::kEnd, TickText(tick),
                    "faint");
    }
    picture_.Text((kLeft + kWidth - kRight) / 2, kHeight - 12, Anchor::kMiddle,
                  chart_.x_unit, "faint");
    picture_.Text(kLeft - 8, kTop - 8, Anchor::kEnd, chart_.y_unit, "faint");
  }

  void DrawLine(const ChartLine& line, size_t colour) {
    const SvgPicture::Points placed = Placed(line.points);
    if (placed.empty()) {
      return;
    }
    if (line.filled) {
      SvgPicture::Points area = placed;
      area.emplace_back(placed.back().first, Y(chart_.y.low));
      area.emplace_back(placed.front().first, Y(chart_.y.low));
      picture_.Path(area, true, fmt::format("area{}", colour));
    }
    picture_.Path(placed, false, fmt::format("none line{}", colour));
  }

  // At the top right, the last label outermost.
  void DrawLegend() {
    double right = kWidth - kRight;
    for (size_t i = chart_.lines.size(); i-- > 0;) {
      const std::string label = FitWidth(Printable(chart_.lines[i].label), 24);
      if (label.empty()) {
        continue;
      }
      picture_.Text(right, 40, Anchor::kEnd, label, "ink");
      right -= kLegendLetter * DisplayWidth(label) + 6;
      picture_.Line(right - 14, 36, right, 36,
                    fmt::format("line{}", i % kColours));
      right -= 28;
    }
  }

  const SvgChart& chart_;
  SvgPicture picture_;
};

}  // namespace

std::string DrawChart(const SvgChart& chart) { return Plot(chart).Draw(); }

}  // namespace edgewise
