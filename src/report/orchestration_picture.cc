#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "report/orchestration_text.h"
#include "report/svg.h"

namespace edgewise {
namespace {

using namespace orchestration;  // NOLINT(google-build-using-namespace)

constexpr size_t kMostDrawn = 60;
constexpr double kRow = 22;
constexpr double kLeft = 110;
constexpr double kScale = 520;  // pixels of a whole tolerance
constexpr double kTop = 60;
constexpr double kLegendRow = 18;
constexpr size_t kLegendColumns = 4;

// Six colours, then the same again paler.
std::string Look(size_t app) {
  return (app % 12 < 6 ? "dot" : "area") + std::to_string(app % 6);
}

// The app nearest to its tolerance here.
size_t TightestApp(const Problem& problem, const ServerLoad& server) {
  size_t tightest = 0;
  double most = -1;
  for (size_t app = 0; app < problem.apps(); ++app) {
    const int64_t least = server.LeastTolerance(app);
    if (least != std::numeric_limits<int64_t>::max()) {
      const double part = static_cast<double>(server.Felt(app)) /
                          std::max(1.0, static_cast<double>(least));
      if (part > most) {
        most = part;
        tightest = app;
      }
    }
  }
  return tightest;
}

void DrawServer(SvgPicture& picture, const OrchestrationReport& report,
                size_t s, double y) {
  const Problem& problem = report.problem;
  const ServerLoad& server = report.servers[s];
  picture.Text(kLeft - 8, y + 14, Anchor::kEnd,
               problem.instance().servers[s].name, "ink");
  if (server.items().empty()) {
    return;
  }
  const size_t app = TightestApp(problem, server);
  const double tolerance =
      std::max(1.0, static_cast<double>(server.LeastTolerance(app)));
  const size_t rank = problem.kinds()[server.kind()].rank;
  std::vector<size_t> items = server.items();
  std::sort(items.begin(), items.end(), [&problem](size_t a, size_t b) {
    return problem.items()[a].app < problem.items()[b].app;
  });
  double x = kLeft;
  for (const size_t item : items) {
    const double width =
        kScale * static_cast<double>(problem.Felt(rank, item)[app]) / tolerance;
    const Request& request = problem.instance().requests[item];
    picture.BeginGroup(fmt::format("{} ({} × {}, {:g}/s)", request.name,
                                   request.replicas, request.app,
                                   request.rate_per_s));
    picture.Rect(x, y + 3, std::max(0.5, width - 1), kRow - 6,
                 Look(problem.items()[item].app));
    picture.EndGroup();
    x += width;
  }
  picture.Text(kLeft + kScale + 10, y + 14, Anchor::kStart,
               fmt::format("{:.0f}%", 100 * server.Strain()), "faint");
}

}  // namespace

std::string OrchestrationSvg(const OrchestrationReport& report) {
  const size_t rows = std::min(report.servers.size(), kMostDrawn);
  const auto& names = report.problem.predictor().AppNames();
  std::set<size_t> apps;
  for (size_t s = 0; s < rows; ++s) {
    for (const size_t item : report.servers[s].items()) {
      apps.insert(report.problem.items()[item].app);
    }
  }
  const size_t legend_rows =
      (apps.size() + kLegendColumns - 1) / kLegendColumns;
  const double bottom = kTop + kRow * static_cast<double>(rows);
  SvgPicture picture(
      kLeft + kScale + 60,
      bottom + 40 + kLegendRow * static_cast<double>(legend_rows),
      "Servers and the pressure on them");
  picture.Text(12, 22, Anchor::kStart,
               "Pressure on each server, by app, against what is borne", "ink");
  if (rows < report.servers.size()) {
    picture.Text(
        12, 40, Anchor::kStart,
        fmt::format("the first {} of {} servers", rows, report.servers.size()),
        "faint");
  }
  for (size_t s = 0; s < rows; ++s) {
    DrawServer(picture, report, s, kTop + kRow * static_cast<double>(s));
  }
  picture.Line(kLeft, kTop, kLeft, bottom, "grid");
  picture.Line(kLeft + kScale, kTop - 4, kLeft + kScale, bottom,
               "line4 dashed");
  picture.Text(kLeft + kScale, kTop - 8, Anchor::kEnd, "tolerance", "faint");
  size_t at = 0;
  for (const size_t app : apps) {
    const double x = 12 + 165 * static_cast<double>(at % kLegendColumns);
    const size_t row = at / kLegendColumns;
    const double y = bottom + 24 + kLegendRow * static_cast<double>(row);
    picture.Rect(x, y - 9, 10, 10, Look(app));
    picture.Text(x + 16, y, Anchor::kStart, names[app], "ink");
    ++at;
  }
  return picture.text();
}

}  // namespace edgewise
