#include "report/curve_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/axis.h"
#include "report/figures.h"
#include "report/svg.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

constexpr double kWidth = 680;
constexpr double kLeft = 66;
constexpr double kRight = 24;
constexpr double kHead = 34;  // title
constexpr double kNote = 18;  // further lines above the plot, each
constexpr double kPlotHeight = 236;
constexpr double kBottom = 50;
constexpr double kLetter = 6.4;   // pixels a column of this font takes
constexpr double kDot = 3;        // half of a point's size
constexpr double kBar = 4;        // half of an interval's end
constexpr double kTickRoom = 26;  // least pixels from tick to tick
constexpr size_t kColours = 6;
constexpr size_t kMostOwnTicks = 12;

bool Finite(const CurvePoint& point) {
  return std::isfinite(point.x) && std::isfinite(point.y);
}

struct LegendEntry {
  size_t series;
  std::string text;
  double width;  // with its sign and the gap after it
};

class CurvePlot {
 public:
  explicit CurvePlot(const CurveChart& chart) : chart_(chart) {
    LayLegend();
    top_ = kHead + 26 +
           kNote * static_cast<double>(legend_.size() + !chart.note.empty());
    FindAxes();
  }

  std::string Draw() {
    const double height = top_ + kPlotHeight + kBottom;
    SvgPicture picture(kWidth, height, chart_.title);
    picture.Text(16, 24, Anchor::kStart, FitWidth(Printable(chart_.title), 80),
                 "ink title");
    double y = kHead + 10;
    if (!chart_.note.empty()) {
      picture.Text(16, y, Anchor::kStart, FitWidth(Printable(chart_.note), 100),
                   "faint");
      y += kNote;
    }
    for (const auto& row : legend_) {
      DrawLegendRow(picture, row, y);
      y += kNote;
    }
    DrawAxes(picture);
    for (size_t i = 0; i < chart_.series.size(); ++i) {
      DrawLine(picture, i);
    }
    for (size_t i = 0; i < chart_.series.size(); ++i) {
      DrawPoints(picture, i);
    }
    return picture.text();
  }

 private:
  bool Words() const { return !chart_.labels.empty(); }
  double Left() const { return kLeft; }
  double Right() const { return kWidth - kRight; }

  void LayLegend() {
    double used = 0;
    for (size_t i = 0; i < chart_.series.size(); ++i) {
      const std::string text = FitWidth(Printable(chart_.series[i].name), 60);
      if (chart_.series[i].name.empty()) {
        continue;
      }
      const double width = 26 + kLetter * DisplayWidth(text) + 18;
      if (legend_.empty() || used + width > kWidth - 32) {
        legend_.emplace_back();
        used = 0;
      }
      legend_.back().push_back({i, text, width});
      used += width;
    }
  }

  void FindAxes() {
    std::vector<double> xs;
    std::vector<double> ys;
    for (const CurveSeries& series : chart_.series) {
      for (const CurvePoint& point : series.points) {
        if (Finite(point)) {
          xs.push_back(point.x);
          ys.push_back(point.y);
          ys.push_back(point.low.value_or(point.y));
          ys.push_back(point.high.value_or(point.y));
        }
      }
    }
    own_ticks_ = OwnTicks(xs);
    for (const CurveSeries& series : chart_.series) {
      for (const auto& [x, y] : series.line) {
        xs.push_back(x);
        ys.push_back(y);
      }
    }
    y_ = AxisFor(ys, chart_.y_from_zero, chart_.y_is_log);
    if (!y_.logarithmic) {
      // Room for the uppermost bar.
      y_.high += 0.04 * (y_.high - y_.low);
    }
    if (Words()) {
      x_ = {-0.5, static_cast<double>(chart_.labels.size()) - 0.5, false};
    } else {
      x_ = AxisFor(xs, !chart_.x_is_log, chart_.x_is_log);
    }
  }

  // Where all counts are whole and few, each has its tick.
  std::vector<double> OwnTicks(std::vector<double> xs) const {
    std::sort(xs.begin(), xs.end());
    xs.erase(std::unique(xs.begin(), xs.end()), xs.end());
    const bool whole = std::all_of(xs.begin(), xs.end(), [](double x) {
      return std::isfinite(x) && x == std::round(x);
    });
    return whole && xs.size() <= kMostOwnTicks ? xs : std::vector<double>();
  }

  double X(double value) const {
    return Left() + 10 + PlaceOn(x_, value) * (Right() - Left() - 20);
  }
  double Y(double value) const {
    return top_ + kPlotHeight - PlaceOn(y_, value) * kPlotHeight;
  }
  // Series of words stand side by side, so that their bars can be told apart.
  double PointX(const CurvePoint& point, size_t series) const {
    if (!Words() || chart_.series.size() < 2) {
      return X(point.x);
    }
    const auto count = static_cast<double>(chart_.series.size());
    const double slot = (X(1) - X(0)) * 0.6 / count;
    return X(point.x) + slot * (static_cast<double>(series) - (count - 1) / 2);
  }

  void DrawLegendRow(SvgPicture& picture, const std::vector<LegendEntry>& row,
                     double y) const {
    double x = 16;
    for (const LegendEntry& entry : row) {
      const CurveSeries& series = chart_.series[entry.series];
      const size_t colour = entry.series % kColours;
      if (!series.line.empty()) {
        picture.Line(x, y - 4, x + 20, y - 4,
                     fmt::format("none dashed line{}", colour));
      }
      if (!series.points.empty()) {
        picture.Rect(x + 10 - kDot, y - 4 - kDot, 2 * kDot, 2 * kDot,
                     fmt::format("dot{}", colour));
      }
      picture.Text(x + 26, y, Anchor::kStart, entry.text, "ink");
      x += entry.width;
    }
  }

  void DrawAxes(SvgPicture& picture) const {
    const double bottom = top_ + kPlotHeight;
    for (const double tick : TicksOf(y_, 6)) {
      picture.Line(Left(), Y(tick), Right(), Y(tick), "grid");
      picture.Text(Left() - 8, Y(tick) + 4, Anchor::kEnd, TickText(tick),
                   "faint");
    }
    if (Words()) {
      const int columns =
          std::max(3, static_cast<int>((X(1) - X(0)) / kLetter) - 1);
      for (size_t i = 0; i < chart_.labels.size(); ++i) {
        picture.Text(X(static_cast<double>(i)), bottom + 18, Anchor::kMiddle,
                     FitWidth(Printable(chart_.labels[i]), columns), "faint");
      }
    } else {
      double last = -kTickRoom;
      for (const double tick :
           own_ticks_.empty() ? TicksOf(x_, 9) : own_ticks_) {
        picture.Line(X(tick), top_, X(tick), bottom, "grid");
        if (X(tick) - last >= kTickRoom) {
          picture.Text(X(tick), bottom + 18, Anchor::kMiddle, TickText(tick),
                       "faint");
          last = X(tick);
        }
      }
    }
    picture.Text((Left() + Right()) / 2, bottom + 38, Anchor::kMiddle,
                 FitWidth(Printable(chart_.x_name), 80), "faint");
    std::string y_name = chart_.y_name;
    if (!chart_.y_unit.empty()) {
      y_name += y_name.empty() ? chart_.y_unit : " (" + chart_.y_unit + ")";
    }
    picture.Text(16, top_ - 12, Anchor::kStart, FitWidth(Printable(y_name), 80),
                 "faint");
  }

  void DrawLine(SvgPicture& picture, size_t number) const {
    const CurveSeries& series = chart_.series[number];
    const size_t colour = number % kColours;
    SvgPicture::Points path;
    if (!series.line.empty()) {
      for (const auto& [x, y] : series.line) {
        if (std::isfinite(x) && std::isfinite(y)) {
          path.emplace_back(X(x), Y(y));
        }
      }
      picture.Path(path, false, fmt::format("none dashed line{}", colour));
    } else if (series.joined && !Words()) {
      std::vector<CurvePoint> sorted = series.points;
      std::stable_sort(
          sorted.begin(), sorted.end(),
          [](const CurvePoint& a, const CurvePoint& b) { return a.x < b.x; });
      for (const CurvePoint& point : sorted) {
        if (Finite(point)) {
          path.emplace_back(X(point.x), Y(point.y));
        }
      }
      picture.Path(path, false, fmt::format("none line{}", colour));
    }
  }

  void DrawPoints(SvgPicture& picture, size_t number) const {
    const CurveSeries& series = chart_.series[number];
    const size_t colour = number % kColours;
    for (const CurvePoint& point : series.points) {
      if (Finite(point)) {
        DrawPoint(picture, point, PointX(point, number), colour, series.name);
      }
    }
  }

  void DrawPoint(SvgPicture& picture, const CurvePoint& point, double x,
                 size_t colour, const std::string& name) const {
    picture.BeginGroup(point.tooltip.empty() ? Tooltip(point, name)
                                             : point.tooltip);
    const std::string look = fmt::format("none line{}", colour);
    for (const auto& end : {point.low, point.high}) {
      if (end && std::isfinite(*end)) {
        picture.Line(x, Y(point.y), x, Y(*end), look);
        picture.Line(x - kBar, Y(*end), x + kBar, Y(*end), look);
      }
    }
    picture.Rect(x - kDot, Y(point.y) - kDot, 2 * kDot, 2 * kDot,
                 fmt::format("dot{}", colour));
    picture.EndGroup();
  }

  std::string Tooltip(const CurvePoint& point, const std::string& name) const {
    const auto label = static_cast<size_t>(std::max(point.x, 0.0));
    std::string text = name.empty() ? "" : name + ", ";
    text += Words() && label < chart_.labels.size()
                ? chart_.labels[label]
                : Figure(point.x) + " " + chart_.x_name;
    text += ": " + Figure(point.y) + " " + chart_.y_unit;
    if (point.low && point.high) {
      text += " (" + Figure(*point.low) + " to " + Figure(*point.high) + ")";
    }
    return text;
  }

  const CurveChart& chart_;
  std::vector<std::vector<LegendEntry>> legend_;  // rows
  double top_ = 0;                                // of the plot
  Axis x_;
  Axis y_;
  std::vector<double> own_ticks_;
};

}  // namespace

std::string DrawCurves(const CurveChart& chart) {
  return CurvePlot(chart).Draw();
}

}  // namespace edgewise
