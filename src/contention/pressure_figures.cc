#include "contention/pressure_figures.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "contention/fit_curves.h"

namespace edgewise::contention {
namespace {

using orchestration::PressureApp;
using orchestration::PressureFigures;

constexpr double kMsPerS = 1e3;
// Curves end here: above 1, where light tenants still keep their even share;
// the heavy ones' own queues tell that it is too much.
constexpr double kHighest = 1.6;
constexpr int kPoints = 25;

std::vector<std::pair<double, double>> PointsOf(const PressureCurve& curve) {
  std::vector<std::pair<double, double>> points;
  for (int i = 0; i <= kPoints; ++i) {
    const double pressure = kHighest * i / kPoints;
    points.emplace_back(pressure, curve.At(pressure));
  }
  return points;
}

std::vector<std::string> ResourceNames(const Campaign& campaign,
                                       const Sharing& sharing) {
  std::vector<std::string> names = {"cpu"};
  for (size_t s = 0; s < campaign.stressors.size(); ++s) {
    if (sharing.stressor_resource[s]) {
      names.push_back(campaign.stressors[s]);
    }
  }
  if (names.size() <= sharing.apps.front().feels.size()) {
    names.emplace_back("cache");  // no stressor told them apart
  }
  return names;
}

}  // namespace

std::vector<int> RanksOf(const Sharing& sharing) {
  std::vector<size_t> order(sharing.speeds.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return sharing.speeds[a] > sharing.speeds[b];
  });
  std::vector<int> ranks(order.size());
  for (size_t r = 0; r < order.size(); ++r) {
    ranks[order[r]] = static_cast<int>(r);
  }
  return ranks;
}

PressureFigures FiguresFrom(const Campaign& campaign, const Selection& rows,
                            const Sharing& sharing) {
  PressureFigures figures;
  figures.resources = ResourceNames(campaign, sharing);
  figures.slice_ms = sharing.slice_ms;
  const std::vector<int> ranks = RanksOf(sharing);
  for (size_t s = 0; s < ranks.size(); ++s) {
    figures.ranks.push_back(
        {ranks[s], sharing.speeds[s],
         std::vector<double>(figures.resources.size(),
                             sharing.cores * sharing.speeds[s])});
  }
  std::sort(figures.ranks.begin(), figures.ranks.end(),
            [](const auto& a, const auto& b) { return a.rank < b.rank; });
  const FittedCurves fitted = FitCurves(campaign, rows, sharing);
  for (size_t i = 0; i < campaign.apps.size(); ++i) {
    const AppTraits& traits = sharing.apps[i];
    const double demand_s = traits.cpu.beside_ms / kMsPerS;
    PressureApp app;
    app.name = campaign.apps[i].name;
    app.memory_bytes = campaign.apps[i].memory_bytes;
    app.service_ms = traits.service_ms;
    app.spread = traits.spread;
    app.cpu_ms = traits.cpu.beside_ms;
    app.warm = traits.cpu.alone_ms / traits.cpu.beside_ms;
    app.uneven = fitted.uneven;
    app.wait = fitted.wait;
    app.skew = fitted.skew;
    app.idle.assign(figures.resources.size(), 0);
    app.exerts = {demand_s};
    app.feels = {1};
    for (size_t k = 0; k + 1 < figures.resources.size(); ++k) {
      app.exerts.push_back(demand_s * traits.intensity[k]);
      app.feels.push_back(traits.feels[k]);
    }
    app.slow_down = PointsOf(fitted.curves[i]);
    figures.apps.push_back(std::move(app));
  }
  return figures;
}

}  // namespace edgewise::contention
