#include <fmt/format.h>

#include <algorithm>

#include "report/axis.h"
#include "report/contention_text.h"
#include "report/svg.h"

namespace edgewise {
namespace {

using contention::ContentionEvaluation;
using contention::Forecast;
using contention::kP95;
using contention::PredictorErrors;

constexpr double kPanel = 300;
constexpr double kGap = 80;
constexpr double kLeft = 60;
constexpr double kTop = 96;
constexpr double kDot = 4;
constexpr size_t kColumns = 2;
constexpr double kNear = 1.2;  // the dashed lines: 20% off

Axis AxisOf(const ContentionEvaluation& evaluation) {
  std::vector<double> values;
  for (const PredictorErrors& predictor : evaluation.predictors) {
    for (const Forecast& forecast : predictor.figures[kP95].held_out) {
      values.push_back(forecast.measured_ms);
    }
  }
  return AxisFor(values, false, true);
}

// A square with the same axis to the right and upwards.
class Panel {
 public:
  Panel(SvgPicture& picture, const Axis& axis, double left, double top)
      : picture_(picture), axis_(axis), left_(left), top_(top) {}

  void DrawAxes() {
    for (const double tick : TicksOf(axis_, 6)) {
      picture_.Line(X(tick), top_, X(tick), top_ + kPanel, "grid");
      picture_.Line(left_, Y(tick), left_ + kPanel, Y(tick), "grid");
      picture_.Text(X(tick), top_ + kPanel + 16, Anchor::kMiddle,
                    TickText(tick), "faint");
      picture_.Text(left_ - 6, Y(tick) + 4, Anchor::kEnd, TickText(tick),
                    "faint");
    }
    picture_.Text(left_ + kPanel / 2, top_ + kPanel + 34, Anchor::kMiddle,
                  "measured p95, ms", "faint");
  }

  void DrawDiagonal(double factor, std::string_view look) {
    const double low = std::max(axis_.low, axis_.low / factor);
    const double high = std::min(axis_.high, axis_.high / factor);
    picture_.Line(X(low), Y(low * factor), X(high), Y(high * factor), look);
  }

  void DrawDots(const PredictorErrors& predictor, size_t colour) {
    const std::string look = fmt::format("dot{}", colour);
    for (const Forecast& forecast : predictor.figures[kP95].held_out) {
      // "Never" stands at the upper edge.
      picture_.Rect(X(forecast.measured_ms) - kDot / 2,
                    Y(forecast.predicted_ms.value_or(axis_.high)) - kDot / 2,
                    kDot, kDot, look);
    }
  }

 private:
  double X(double ms) const { return left_ + kPanel * Place(ms); }
  double Y(double ms) const { return top_ + kPanel * (1 - Place(ms)); }
  double Place(double ms) const {
    return std::min(1.0, std::max(0.0, PlaceOn(axis_, ms)));
  }

  SvgPicture& picture_;
  const Axis& axis_;
  double left_;
  double top_;
};

}  // namespace

std::string ContentionPicture(const ContentionEvaluation& evaluation) {
  const size_t count = evaluation.predictors.size();
  const size_t row_count = (count + kColumns - 1) / kColumns;
  const auto rows = static_cast<double>(row_count);
  const double width = kLeft + kColumns * (kPanel + kGap) - kGap + 24;
  SvgPicture picture(width, kTop + rows * (kPanel + kGap) - 30,
                     "Predicted against measured p95");
  picture.Text(kLeft, 24, Anchor::kStart,
               "Predicted against measured p95 of deployments held out",
               "ink title");
  picture.Text(kLeft, 42, Anchor::kStart,
               "each dot a tenant, predicted upwards, ms; dashed: 20% off",
               "faint");
  const Axis axis = AxisOf(evaluation);
  for (size_t p = 0; p < count; ++p) {
    const PredictorErrors& predictor = evaluation.predictors[p];
    const size_t row = p / kColumns;
    const double left =
        kLeft + static_cast<double>(p % kColumns) * (kPanel + kGap);
    const double top = kTop + static_cast<double>(row) * (kPanel + kGap);
    Panel panel(picture, axis, left, top);
    panel.DrawAxes();
    const std::string line = fmt::format("line{}", p % 6);
    panel.DrawDiagonal(1, line);
    panel.DrawDiagonal(kNear, line + " dashed");
    panel.DrawDiagonal(1 / kNear, line + " dashed");
    panel.DrawDots(predictor, p % 6);
    const auto& error = predictor.figures[kP95].median_ape;
    picture.Text(left, top - 10, Anchor::kStart,
                 predictor.name + (error ? fmt::format(": {:.0f}% off (median)",
                                                       100 * error->value)
                                         : ""),
                 "ink");
  }
  return picture.text();
}

}  // namespace edgewise
