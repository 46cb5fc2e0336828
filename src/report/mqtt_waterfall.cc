#include "report/mqtt_waterfall.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/units.h"
#include "report/axis.h"
#include "report/figures.h"
#include "report/interval_text.h"
#include "report/pictures.h"
#include "report/svg.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

using mqtt::PipelineCell;
using mqtt::StageFigures;

struct Step {
  const StageFigures* figures = nullptr;
  double start_ns = 0;
  double length_ns = 0;
};

struct Waterfall {
  std::vector<Step> steps;
  double total_ns = 0;
};

Waterfall WaterfallOf(const PipelineCell& cell) {
  Waterfall waterfall;
  for (const StageFigures& figures : cell.stages) {
    if (mqtt::OnPath(figures.stage) && figures.ns.mean) {
      waterfall.steps.push_back(
          {&figures, waterfall.total_ns, *figures.ns.mean});
      waterfall.total_ns += *figures.ns.mean;
    }
  }
  return waterfall;
}

}  // namespace

std::string WaterfallText(const PipelineCell& cell, const TextStyle& style) {
  const Waterfall waterfall = WaterfallOf(cell);
  if (waterfall.steps.empty() || waterfall.total_ns <= 0) {
    return "";
  }
  constexpr int kNameColumns = 14;
  constexpr int kFigureColumns = 20;
  const int width =
      std::clamp(style.width - kNameColumns - kFigureColumns - 4, 10, 60);
  std::string text;
  for (const Step& step : waterfall.steps) {
    const double share = step.length_ns / waterfall.total_ns;
    const int start =
        std::min(width - 1, static_cast<int>(std::lround(
                                step.start_ns / waterfall.total_ns * width)));
    std::string bar(static_cast<size_t>(start), ' ');
    bar += ShareBar(share, width);
    if (!style.unicode) {
      bar = ToAscii(bar);
    }
    text += "  " +
            PadWidth(mqtt::StageName(step.figures->stage), kNameColumns) +
            PadWidth(bar, width + 1) + " " +
            PadWidth(FormatDuration(step.length_ns), 9, /*right=*/true) +
            fmt::format("{:>7.1f}%", share * 100) + "\n";
  }
  return text;
}

std::string WaterfallSvg(const PipelineCell& cell) {
  const Waterfall waterfall = WaterfallOf(cell);
  if (waterfall.steps.empty() || waterfall.total_ns <= 0) {
    return "";
  }
  constexpr double kWidth = 780;
  constexpr double kLeft = 130;
  constexpr double kRight = 230;
  constexpr double kTop = 64;
  constexpr double kRow = 30;
  const double height =
      kTop + kRow * static_cast<double>(waterfall.steps.size()) + 40;
  const double plot = kWidth - kLeft - kRight;
  SvgPicture picture(kWidth, height, "Where the time goes: " + cell.name);
  picture.Text(16, 24, Anchor::kStart,
               "Where the time goes: " + Printable(cell.name), "ink title");
  picture.Text(16, 44, Anchor::kStart,
               "means of the stages, one after the other; p50 and p99 beside",
               "faint");
  const double total_ms = waterfall.total_ns / 1e6;
  const Axis axis{0, total_ms, false};
  const double bottom = height - 34;
  for (const double tick : TicksOf(axis, 6)) {
    const double x = kLeft + plot * PlaceOn(axis, tick);
    picture.Line(x, kTop, x, bottom, "grid");
    picture.Text(x, bottom + 16, Anchor::kMiddle, TickText(tick) + " ms",
                 "faint");
  }
  for (size_t i = 0; i < waterfall.steps.size(); ++i) {
    const Step& step = waterfall.steps[i];
    const double y = kTop + kRow * static_cast<double>(i);
    const auto& ns = step.figures->ns;
    const char* const name = mqtt::StageName(step.figures->stage);
    picture.BeginGroup(fmt::format("{} ({}): mean {}, {:.1f}%", name,
                                   mqtt::StageText(step.figures->stage),
                                   FormatDuration(step.length_ns),
                                   step.length_ns / waterfall.total_ns * 100));
    picture.Text(kLeft - 10, y + 19, Anchor::kEnd, name, "ink");
    picture.Rect(kLeft + plot * step.start_ns / waterfall.total_ns, y + 5,
                 std::max(1.0, plot * step.length_ns / waterfall.total_ns),
                 kRow - 10, fmt::format("dot{}", i % 6));
    picture.Text(
        kWidth - kRight + 12, y + 19, Anchor::kStart,
        fmt::format("{:.1f}%  p50 {}  p99 {}",
                    step.length_ns / waterfall.total_ns * 100,
                    ns.p50 ? MsText(ns.p50->value) : std::string(kUnknown),
                    ns.p99 ? MsText(ns.p99->value) : std::string(kUnknown)),
        "faint");
    picture.EndGroup();
  }
  return picture.text();
}

}  // namespace edgewise
