#include "tenants/usage.h"

#include "base/clock.h"
#include "stats/moments.h"

namespace edgewise::tenants {
namespace {

Result<std::optional<double>> CoresOf(const Store& store, const Run& run,
                                      int64_t epoch_ns, const Window& window) {
  const auto series = store.SeriesOf(run.id);
  if (!series) {
    return series.error();
  }
  stats::Moments percents;
  for (const SeriesInfo& each : *series) {
    if (each.kind != SeriesKind::kSystem || each.name != "cpu_percent") {
      continue;
    }
    const auto points = store.Points(each.id);
    if (!points) {
      return points.error();
    }
    for (const Point& point : *points) {
      const double at_s = static_cast<double>(run.started_monotonic_ns +
                                              point.t_ns - epoch_ns) /
                          static_cast<double>(kNsPerSecond);
      if (at_s >= window.begin_s && at_s <= window.end_s) {
        percents.Add(point.value);
      }
    }
  }
  const auto mean = percents.mean();
  return mean ? std::optional(*mean / 100) : std::nullopt;
}

template <typename T>
std::optional<T> Sum(std::optional<T> a, std::optional<T> b) {
  return a && b ? std::optional(*a + *b) : std::nullopt;
}

}  // namespace

Result<Usage> UseOf(const Store& store, const std::vector<std::string>& run_ids,
                    int64_t epoch_ns, const Window& window) {
  Usage usage;
  bool first = true;
  for (const std::string& id : run_ids) {
    const auto run = store.Find(id);
    if (!run) {
      return run.error();
    }
    const auto cores = CoresOf(store, *run, epoch_ns, window);
    if (!cores) {
      return cores.error();
    }
    const auto bytes = run->totals.tree_peak_bytes ? run->totals.tree_peak_bytes
                                                   : run->totals.max_rss_bytes;
    usage.cpu_cores = first ? *cores : Sum(usage.cpu_cores, *cores);
    usage.memory_bytes = first ? bytes : Sum(usage.memory_bytes, bytes);
    first = false;
  }
  return usage;
}

}  // namespace edgewise::tenants
