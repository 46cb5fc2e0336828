// The families of spans, jobs and metrics that apps record.
#include <optional>
#include <utility>

#include "live/labelled_app.h"

namespace edgewise::live {
namespace {

constexpr double kNsPerS = 1e9;

bool IsDuration(const MetricSnapshot& metric) {
  return metric.kind == EventKind::kSpan || metric.kind == EventKind::kJob;
}

void ExportDurations(const std::vector<LabelledApp>& apps,
                     http::Exposition& to) {
  to.Family("edgewise_app_span_duration_seconds", http::FamilyType::kHistogram,
            "Durations of spans, and of jobs from their release.", "seconds");
  for (const LabelledApp& entry : apps) {
    for (const MetricSnapshot& metric : entry.app->metrics) {
      if (IsDuration(metric)) {
        to.Histogram(entry.With("span", metric.name), kDurationBounds_s,
                     metric.durations.by_class, metric.durations.sum_s);
      }
    }
  }
  to.Family("edgewise_app_deadline_misses", http::FamilyType::kCounter,
            "Jobs that ended after their deadline.");
  for (const LabelledApp& entry : apps) {
    for (const MetricSnapshot& metric : entry.app->metrics) {
      if (metric.kind == EventKind::kJob) {
        to.Sample(entry.With("span", metric.name),
                  static_cast<double>(metric.deadline_misses));
      }
    }
  }
}

void ExportWindows(const std::vector<LabelledApp>& apps, http::Exposition& to) {
  to.Family("edgewise_app_span_rate", http::FamilyType::kGauge,
            "Spans that ended each second, over the last 2 s, 1 and 5 min.");
  for (const LabelledApp& entry : apps) {
    for (const MetricSnapshot& metric : entry.app->metrics) {
      for (size_t i = 0; IsDuration(metric) && i < kWindows.size(); ++i) {
        if (const auto rate = metric.windows[i].rate_per_s) {
          to.Sample(entry.With("span", metric.name) + ",window=\"" +
                        WindowName(kWindows[i]) + "\"",
                    *rate);
        }
      }
    }
  }
  to.Family("edgewise_app_span_percentile_seconds", http::FamilyType::kGauge,
            "Percentiles of durations over the same windows, within 1%.",
            "seconds");
  for (const LabelledApp& entry : apps) {
    for (const MetricSnapshot& metric : entry.app->metrics) {
      for (size_t i = 0; IsDuration(metric) && i < kWindows.size(); ++i) {
        const WindowFigures& window = metric.windows[i];
        const std::string labels = entry.With("span", metric.name) +
                                   ",window=\"" + WindowName(kWindows[i]) +
                                   "\",percentile=\"";
        const std::pair<const char*, const std::optional<stats::Estimate>&>
            quantiles[] = {
                {"50", window.p50}, {"95", window.p95}, {"99", window.p99}};
        for (const auto& [quantile, estimate] : quantiles) {
          if (estimate) {
            to.Sample(labels + quantile + "\"", estimate->value / kNsPerS);
          }
        }
      }
    }
  }
  to.Family("edgewise_app_span_samples", http::FamilyType::kGauge,
            "How many spans these figures rest on: p95 needs 72, p99 368.");
  for (const LabelledApp& entry : apps) {
    for (const MetricSnapshot& metric : entry.app->metrics) {
      for (size_t i = 0; IsDuration(metric) && i < kWindows.size(); ++i) {
        to.Sample(entry.With("span", metric.name) + ",window=\"" +
                      WindowName(kWindows[i]) + "\"",
                  static_cast<double>(metric.windows[i].count));
      }
    }
  }
}

void ExportValues(const std::vector<LabelledApp>& apps, http::Exposition& to) {
  const auto each = [&](EventKind kind, const auto& value) {
    for (const LabelledApp& entry : apps) {
      for (const MetricSnapshot& metric : entry.app->metrics) {
        if (metric.kind == kind) {
          to.Sample(entry.With("metric", metric.name), value(metric));
        }
      }
    }
  };
  const auto last = [](const MetricSnapshot& metric) { return metric.last; };
  to.Family("edgewise_app_reported_value", http::FamilyType::kGauge,
            "The last value of a gauge that the app reports.");
  each(EventKind::kGauge, last);
  to.Family("edgewise_app_reported_rate", http::FamilyType::kGauge,
            "The last value of a rate that the app reports, per second.");
  each(EventKind::kRate, last);
  to.Family("edgewise_app_reported", http::FamilyType::kCounter,
            "A counter that the app reports, over its restarts.");
  each(EventKind::kCounter, last);
  to.Family("edgewise_app_metric_age_seconds", http::FamilyType::kGauge,
            "How long ago the app said something under this name.", "seconds");
  for (const LabelledApp& entry : apps) {
    for (const MetricSnapshot& metric : entry.app->metrics) {
      constexpr const char* kKinds[] = {"span", "gauge", "counter", "rate",
                                        "job"};
      to.Sample(entry.With("metric", metric.name) + ",kind=\"" +
                    kKinds[static_cast<size_t>(metric.kind)] + "\"",
                metric.age_s);
    }
  }
}

}  // namespace

void ExportAppMetrics(const std::vector<LabelledApp>& apps,
                      http::Exposition& to) {
  ExportDurations(apps, to);
  ExportWindows(apps, to);
  ExportValues(apps, to);
}

}  // namespace edgewise::live
