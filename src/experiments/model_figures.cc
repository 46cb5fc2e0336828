#include "experiments/model_figures.h"

#include <algorithm>

namespace edgewise {
namespace {

// The load's own start is not part of it.
constexpr int64_t kStartNs = 300 * kNsPerMs;

struct Window {
  int64_t begin_ns = 0;  // from the Run's start
  int64_t end_ns = 0;
};

Result<std::vector<Span>> SpansOf(const Store& store, const std::string& run_id,
                                  const std::string& name) {
  const auto series = store.SeriesOf(run_id);
  if (!series) {
    return series.error();
  }
  for (const SeriesInfo& info : *series) {
    if (info.kind == SeriesKind::kSpan && info.name == name) {
      auto spans = store.Spans(info.id);
      if (spans) {
        std::sort(spans->begin(), spans->end(),
                  [](const Span& a, const Span& b) {
                    return a.start_ns < b.start_ns;
                  });
      }
      return spans;
    }
  }
  return std::vector<Span>();
}

// The mean of a sampled series within a window; nullopt without points there.
Result<std::optional<double>> MeanWithin(const Store& store,
                                         const std::string& run_id,
                                         const std::string& name,
                                         const Window& window) {
  const auto series = store.SeriesOf(run_id);
  if (!series) {
    return series.error();
  }
  double sum = 0;
  int64_t count = 0;
  for (const SeriesInfo& info : *series) {
    if (info.kind != SeriesKind::kSystem || info.name != name) {
      continue;
    }
    const auto points = store.Points(info.id);
    if (!points) {
      return points.error();
    }
    for (const Point& point : *points) {
      if (point.t_ns > window.begin_ns && point.t_ns <= window.end_ns) {
        sum += point.value;
        ++count;
      }
    }
  }
  return count > 0 ? std::optional(sum / static_cast<double>(count))
                   : std::optional<double>();
}

std::vector<double> WallTimes(const std::vector<Span>& spans, size_t skip) {
  std::vector<double> times;
  for (size_t i = skip; i < spans.size(); ++i) {
    times.push_back(static_cast<double>(spans[i].wall_ns));
  }
  return times;
}

}  // namespace

Result<std::vector<double>> SpanTimes(const Store& store,
                                      const std::string& run_id,
                                      const std::string& span) {
  const auto spans = SpansOf(store, run_id, span);
  if (!spans) {
    return spans.error();
  }
  return WallTimes(*spans, 0);
}

Result<void> FillFigures(const Store& store, const Run& subject,
                         const Run& load, int warmup, ModelMeasurement& row) {
  row.run_id = subject.id;
  row.peak_rss_bytes = subject.totals.max_rss_bytes;
  // A full dial takes what it gets; the network has the rest.
  row.load_reached = row.load_asked_percent >= 100 ||
                     load.output_tail.find("not reached") == std::string::npos;
  const auto forward = SpansOf(store, subject.id, kForwardSpan);
  const auto preprocess = SpansOf(store, subject.id, kPreprocessSpan);
  if (!forward || !preprocess) {
    return forward ? preprocess.error() : forward.error();
  }
  const auto skip = static_cast<size_t>(warmup);
  if (forward->size() <= skip) {
    row.failure = "it recorded no inference after the warm-up";
    return {};
  }
  row.warmup = warmup;
  row.inference_ns = stats::Summarise(WallTimes(*forward, skip));
  if (const auto median = stats::Summarise(WallTimes(*preprocess, skip)).p50) {
    row.preprocess_median_ns = median->value;
  }
  const double cores = std::max(subject.machine.cores, 1);
  const Window before{kStartNs,
                      subject.started_monotonic_ns - load.started_monotonic_ns};
  const auto own = MeanWithin(store, load.id, "cpu_percent", before);
  const auto others = MeanWithin(store, load.id, "cpu_of_others", before);
  const Window during{(*forward)[skip].start_ns,
                      forward->back().start_ns + forward->back().wall_ns};
  const auto beside = MeanWithin(store, subject.id, "cpu_of_others", during);
  if (!own || !others || !beside) {
    return !own ? own.error() : !others ? others.error() : beside.error();
  }
  if (*own && *others) {
    row.cpu_before_percent = (**own + **others) / cores;
  }
  if (*beside) {
    row.cpu_during_percent = **beside / cores;
  }
  return {};
}

}  // namespace edgewise
