#include "report/gantt.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/units.h"
#include "report/axis.h"
#include "report/figures.h"
#include "report/svg.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

using scheduling::PlanHistory;
using scheduling::Slice;

constexpr int kMostLabel = 24;
constexpr int kLeastColumns = 20;
constexpr int kColors = 6;
constexpr std::array<std::string_view, 4> kFills{"·", "▂", "▅", "█"};
constexpr std::array<std::string_view, 4> kAsciiFills{".", "-", "+", "#"};

constexpr double kWidth = 900;
constexpr double kLeft = 170;
constexpr double kRight = 20;
constexpr double kTop = 48;
constexpr double kRow = 26;
constexpr double kBar = 16;

// Places in the plan by core, then as they are there.
std::vector<size_t> RowsOf(const Plan& plan) {
  std::vector<size_t> rows(plan.tasks.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i] = i;
  }
  std::stable_sort(rows.begin(), rows.end(), [&](size_t a, size_t b) {
    return plan.tasks[a].cores < plan.tasks[b].cores;
  });
  return rows;
}

std::string LabelOf(const PlannedTask& task) {
  return Printable(task.name) + " @" + FormatCpuList(task.cores);
}

// How much of each column the task runs, from 0 to 1.
std::vector<double> Shares(const PlanHistory& history, size_t task,
                           int columns) {
  std::vector<double> shares(static_cast<size_t>(columns), 0);
  const double column_ns = static_cast<double>(history.until_ns) / columns;
  for (const Slice& slice : history.slices) {
    if (slice.task != task) {
      continue;
    }
    const double from = static_cast<double>(slice.start_ns) / column_ns;
    const double to = static_cast<double>(slice.end_ns) / column_ns;
    for (int c = static_cast<int>(from); c < columns && c < to; ++c) {
      shares[static_cast<size_t>(c)] +=
          std::min(to, c + 1.0) - std::max(from, static_cast<double>(c));
    }
  }
  return shares;
}

}  // namespace

std::string GanttTitle(const PlanHistory& history) {
  const std::string length =
      FormatDuration(static_cast<double>(history.until_ns));
  return history.whole
             ? "The first hyperperiod, " + length + ", all released at 0"
             : "The first " + length + ", all released at 0";
}

std::string GanttText(const Plan& plan, const PlanHistory& history,
                      const TextStyle& style) {
  if (plan.tasks.empty() || history.until_ns <= 0) {
    return "";
  }
  int label = 0;
  for (const PlannedTask& task : plan.tasks) {
    label = std::max(label, DisplayWidth(LabelOf(task)));
  }
  label = std::min(label, kMostLabel);
  const int columns = std::max(kLeastColumns, style.width - label - 5);
  const auto& fills = style.unicode ? kFills : kAsciiFills;
  std::string text = Tint(GanttTitle(history), Tone::kDim, style) + "\n";
  for (const size_t row : RowsOf(plan)) {
    std::string name = FitWidth(LabelOf(plan.tasks[row]), label);
    text += "  " + PadWidth(style.unicode ? name : ToAscii(name), label) + " ";
    for (const double share : Shares(history, row, columns)) {
      text += fills[share <= 1e-9     ? 0
                    : share < 1.0 / 3 ? 1
                    : share < 2.0 / 3 ? 2
                                      : 3];
    }
    text += "\n";
  }
  const std::string end = FormatDuration(static_cast<double>(history.until_ns));
  text += std::string(static_cast<size_t>(label) + 3, ' ') + "0" +
          PadWidth(end, columns - 1, true) + "\n";
  return text;
}

std::string GanttSvg(const Plan& plan, const PlanHistory& history) {
  const std::vector<size_t> rows = RowsOf(plan);
  const double bottom = kTop + kRow * static_cast<double>(rows.size());
  SvgPicture picture(kWidth, bottom + 40, "What the plan does");
  picture.Text(16, 22, Anchor::kStart, "What the plan does", "ink title");
  picture.Text(16, 38, Anchor::kStart, GanttTitle(history), "faint");
  const double span_ns =
      static_cast<double>(std::max<int64_t>(1, history.until_ns));
  const DurationUnit unit = UnitFor(span_ns);
  const Axis axis{0, span_ns / unit.ns, false};
  const auto x = [&](double ns) {
    return kLeft + (kWidth - kLeft - kRight) * PlaceOn(axis, ns / unit.ns);
  };
  for (const double tick : TicksOf(axis, 9)) {
    const double at = x(tick * unit.ns);
    picture.Line(at, kTop, at, bottom, "grid");
    picture.Text(at, bottom + 16, Anchor::kMiddle, TickText(tick), "faint");
  }
  picture.Text(kWidth - kRight, bottom + 32, Anchor::kEnd, unit.name, "faint");
  for (size_t place = 0; place < rows.size(); ++place) {
    const PlannedTask& task = plan.tasks[rows[place]];
    const double y = kTop + kRow * static_cast<double>(place);
    const auto color = static_cast<int>(place) % kColors;
    picture.Text(kLeft - 8, y + 17, Anchor::kEnd, FitWidth(LabelOf(task), 24),
                 "ink");
    if (task.period_ns > 0 &&
        span_ns / static_cast<double>(task.period_ns) < 2000) {
      for (int64_t at_ns = 0; at_ns < history.until_ns;
           at_ns += task.period_ns) {
        const double at = x(static_cast<double>(at_ns));
        picture.Line(at, y + 2, at, y + kRow - 2, fmt::format("line{}", color));
      }
    }
    for (const Slice& slice : history.slices) {
      if (slice.task != rows[place]) {
        continue;
      }
      const auto start = static_cast<double>(slice.start_ns);
      const auto end = static_cast<double>(slice.end_ns);
      picture.BeginGroup(fmt::format(
          "{}, job {}: {} to {}, core {}", Printable(task.name), slice.job + 1,
          FormatDuration(start), FormatDuration(end), slice.core));
      picture.Rect(x(start), y + (kRow - kBar) / 2,
                   std::max(0.5, x(end) - x(start)), kBar,
                   fmt::format("dot{}", color));
      picture.EndGroup();
    }
  }
  return picture.text();
}

}  // namespace edgewise
