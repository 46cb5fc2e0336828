#include "store/samples.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/byte_code.h"
#include "stats/autocorrelation.h"
#include "stats/moments.h"
#include "store/distribution.h"

namespace edgewise {
namespace {

// Threads' rings are drained one after another: records come nearly in order.
template <typename Record>
void SortByStart(std::vector<Record>& records) {
  const auto earlier = [](const Record& a, const Record& b) {
    return a.start_ns < b.start_ns;
  };
  if (!std::is_sorted(records.begin(), records.end(), earlier)) {
    std::stable_sort(records.begin(), records.end(), earlier);
  }
}

// Apps' clocks are not to be trusted: no overflow, whatever the times are.
double Elapsed(int64_t from_ns, int64_t to_ns) {
  return static_cast<double>(to_ns) - static_cast<double>(from_ns);
}

void AddRecord(SpanSamples& samples, int64_t start_ns, double wall_ns,
               int64_t cpu_ns) {
  samples.start_ns.push_back(start_ns);
  samples.wall_ns.push_back(wall_ns);
  if (cpu_ns >= 0) {
    samples.cpu_ns.push_back(static_cast<double>(cpu_ns));
  }
}

void Widen(std::optional<stats::TimeWindow>& window, int64_t first,
           int64_t last) {
  if (!window) {
    window = stats::TimeWindow{first, last};
  }
  window->first_start_ns = std::min(window->first_start_ns, first);
  window->last_end_ns = std::max(window->last_end_ns, last);
}

void AddSpans(SpanSamples& samples, std::vector<Span> spans,
              int64_t warmup_ns) {
  SortByStart(spans);
  for (const Span& span : spans) {
    if (span.start_ns < warmup_ns) {
      ++samples.warmup_excluded;
      continue;
    }
    AddRecord(samples, span.start_ns, static_cast<double>(span.wall_ns),
              span.cpu_ns);
    Widen(samples.window, span.start_ns,
          WrappingSum(span.start_ns, span.wall_ns));
  }
}

void AddJobs(SpanSamples& samples, std::vector<Job> jobs, int64_t warmup_ns) {
  SortByStart(jobs);
  for (const Job& job : jobs) {
    if (job.start_ns < warmup_ns) {
      ++samples.warmup_excluded;
      continue;
    }
    AddRecord(samples, job.start_ns, Elapsed(job.start_ns, job.end_ns),
              job.cpu_ns);
    Widen(samples.window, job.start_ns, job.end_ns);
    samples.response_ns.push_back(Elapsed(job.release_ns, job.end_ns));
    samples.deadline_misses += job.end_ns > job.deadline_ns ? 1 : 0;
    const double lateness_ns = Elapsed(job.deadline_ns, job.end_ns);
    samples.max_lateness_ns =
        std::max(samples.max_lateness_ns.value_or(lateness_ns), lateness_ns);
  }
}

// Summarises what is stored one by one in `parts`, and what is not.
stats::SpanSummary SummariseParts(
    std::span<const SpanSamples> parts,
    const std::vector<double> SpanSamples::*values,
    const stats::Sketch SeriesDigest::*rest) {
  std::vector<double> pooled;
  for (const SpanSamples& part : parts) {
    pooled.insert(pooled.end(), (part.*values).begin(), (part.*values).end());
  }
  const bool complete =
      std::none_of(parts.begin(), parts.end(),
                   [](const SpanSamples& part) { return part.digest; });
  if (complete) {
    return stats::Summarise(pooled);
  }
  stats::Sketch sketch;
  StreamMoments moments;
  for (const double value : pooled) {
    sketch.Add(value);
    moments.Add(value);
  }
  for (const SpanSamples& part : parts) {
    if (part.digest) {
      sketch.Merge((*part.digest).*rest);
      if (values == &SpanSamples::wall_ns) {
        moments.Merge(part.digest->moments);
      }
    }
  }
  // The dependence seen in the stored part is taken to hold for the rest.
  std::optional<double> n_effective;
  if (!pooled.empty()) {
    n_effective = stats::EffectiveSampleSize(pooled) *
                  static_cast<double>(sketch.count()) /
                  static_cast<double>(pooled.size());
  }
  stats::SpanSummary summary =
      stats::Summarise(sketch, stats::MomentsOf(pooled), n_effective);
  // The moments of the stored part are not those of the whole.
  summary.lag1 = std::nullopt;
  summary.count = static_cast<int64_t>(sketch.count());
  summary.min = sketch.min();
  summary.max = sketch.max();
  const bool whole = moments.count == summary.count;
  summary.mean = whole ? std::optional(moments.mean) : std::nullopt;
  summary.stddev = whole ? moments.stddev() : std::nullopt;
  summary.jitter = whole ? moments.jitter() : std::nullopt;
  return summary;
}

// All of the parts if they are complete, else by way of a sketch.
stats::Histogram HistogramOf(std::span<const SpanSamples> parts,
                             size_t max_bins) {
  std::vector<double> pooled;
  stats::Sketch sketch;
  bool complete = true;
  for (const SpanSamples& part : parts) {
    pooled.insert(pooled.end(), part.wall_ns.begin(), part.wall_ns.end());
    if (part.digest) {
      complete = false;
      sketch.Merge(part.digest->values);
    }
  }
  if (complete) {
    return stats::MakeHistogram(pooled, stats::HistogramScale::kAuto, max_bins);
  }
  for (const double value : pooled) {
    sketch.Add(value);
  }
  return stats::MakeHistogram(sketch, stats::HistogramScale::kAuto, max_bins);
}

}  // namespace

bool HasSamples(const SeriesInfo& series) {
  return series.kind == SeriesKind::kSpan || series.kind == SeriesKind::kJob;
}

Result<SpanSamples> LoadSamples(const Store& store, const Run& run,
                                const SeriesInfo& series) {
  assert(HasSamples(series));
  SpanSamples samples;
  samples.name = series.name;
  samples.dropped = series.dropped;
  samples.are_jobs = series.kind == SeriesKind::kJob;
  const int64_t warmup_ns = run.conditions.warmup_ns.value_or(INT64_MIN);
  if (samples.are_jobs) {
    auto jobs = store.Jobs(series.id);
    if (!jobs) {
      return jobs.error();
    }
    AddJobs(samples, std::move(*jobs), warmup_ns);
  } else {
    auto spans = store.Spans(series.id);
    if (!spans) {
      return spans.error();
    }
    AddSpans(samples, std::move(*spans), warmup_ns);
  }
  auto digest = store.DigestOf(series.id);
  if (!digest) {
    return digest.error();
  }
  samples.digest = std::move(*digest);
  if (samples.digest) {
    Widen(samples.window, samples.digest->first_ns, samples.digest->last_ns);
    samples.deadline_misses += samples.digest->deadline_misses;
    if (samples.are_jobs) {
      samples.max_lateness_ns = std::max(
          samples.max_lateness_ns.value_or(samples.digest->max_lateness_ns),
          samples.digest->max_lateness_ns);
    }
  }
  return samples;
}

SpanAnalysis AnalyseSamples(std::span<const SpanSamples> parts,
                            const AnalysisDetail& detail) {
  assert(!parts.empty());
  SpanAnalysis analysis;
  analysis.name = parts.front().name;
  analysis.wall_ns =
      SummariseParts(parts, &SpanSamples::wall_ns, &SeriesDigest::values);
  analysis.histogram = HistogramOf(parts, detail.max_bins);
  analysis.distribution = DistributionOf(parts, detail.max_distribution);
  if (parts.size() == 1) {
    analysis.over_time = OverTime(parts.front(), detail.max_buckets);
  }
  double cpu_total_ns = 0;
  double window_s = 0;
  for (const SpanSamples& part : parts) {
    analysis.dropped += part.dropped;
    analysis.warmup_excluded += part.warmup_excluded;
    analysis.cpu_count += static_cast<int64_t>(part.cpu_ns.size());
    for (const double cpu_ns : part.cpu_ns) {
      cpu_total_ns += cpu_ns;
    }
    if (part.digest) {
      analysis.summarised += part.digest->count();
      analysis.cpu_count += part.digest->cpu_count;
      cpu_total_ns += part.digest->cpu_total_ns;
    }
    if (part.window) {
      window_s +=
          Elapsed(part.window->first_start_ns, part.window->last_end_ns) * 1e-9;
    }
  }
  if (analysis.cpu_count > 0) {
    analysis.cpu_total_ns = cpu_total_ns;
    analysis.cpu_mean_ns =
        cpu_total_ns / static_cast<double>(analysis.cpu_count);
  }
  if (window_s > 0) {
    analysis.wall_ns.throughput_per_s =
        static_cast<double>(analysis.wall_ns.count) / window_s;
  }
  if (parts.size() > 1) {
    // Where one Run's samples meet the next one's is no warm-up.
    analysis.wall_ns.warmup_count = std::nullopt;
  }
  if (parts.front().are_jobs) {
    JobAnalysis jobs;
    jobs.response_ns = SummariseParts(parts, &SpanSamples::response_ns,
                                      &SeriesDigest::responses);
    for (const SpanSamples& part : parts) {
      jobs.deadline_misses += part.deadline_misses;
      if (part.max_lateness_ns) {
        jobs.max_lateness_ns =
            std::max(jobs.max_lateness_ns.value_or(*part.max_lateness_ns),
                     *part.max_lateness_ns);
      }
    }
    analysis.jobs = jobs;
  }
  return analysis;
}

}  // namespace edgewise
