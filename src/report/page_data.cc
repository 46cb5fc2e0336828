#include "report/page_data.h"

#include <utility>
#include <vector>

#include "base/clock.h"
#include "report/flame.h"
#include "report/json_text.h"
#include "report/outcome.h"
#include "report/run_facts.h"
#include "report/run_json.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

// Raised when a key changes its meaning or goes away.
constexpr int kPageSchema = 1;

std::string_view ToneName(Tone tone) {
  switch (tone) {
    case Tone::kGood:
      return "good";
    case Tone::kBad:
      return "bad";
    case Tone::kWarning:
      return "warning";
    case Tone::kPlain:
    case Tone::kStrong:
    case Tone::kDim:
      break;
  }
  return "plain";
}

// What a Run is, in the words of the terminal.
std::string WordsJson(const Run& run) {
  const Outcome outcome = OutcomeOf(run);
  return JsonObject()
      .AddString("command", Printable(CommandText(run)))
      .AddString("outcome", outcome.sentence)
      .AddString("tone", ToneName(outcome.tone))
      .AddString("started", FormatUtc(run.started_utc_ns))
      .AddString("machine", MachineText(run.machine))
      .AddString("conditions", ConditionsText(run.conditions))
      .text();
}

std::string FactsJson(const std::vector<Fact>& facts) {
  JsonArray array;
  for (const Fact& fact : facts) {
    array.Add(JsonObject()
                  .AddString("name", fact.name)
                  .AddStrings("pieces", fact.pieces)
                  .text());
  }
  return array.text();
}

template <typename Element, typename Read>
std::string Numbers(const std::vector<Element>& rows, Read read) {
  JsonArray array;
  for (const Element& row : rows) {
    array.AddNumber(read(row));
  }
  return array.text();
}

std::string HistogramJson(const stats::Histogram& histogram) {
  using Bin = stats::HistogramBin;
  return JsonObject()
      .Add("logarithmic", histogram.logarithmic ? "true" : "false")
      .Add("low", Numbers(histogram.bins, [](const Bin& b) { return b.low; }))
      .Add("high", Numbers(histogram.bins, [](const Bin& b) { return b.high; }))
      .Add("count", Numbers(histogram.bins, [](const Bin& b) {
             return static_cast<double>(b.count);
           }))
      .text();
}

std::string DistributionJson(const std::vector<DistributionPoint>& points) {
  using At = DistributionPoint;
  return JsonObject()
      // The share above, because tails have their digits there.
      .Add("above", Numbers(points, [](const At& p) { return 1 - p.share; }))
      .Add("value", Numbers(points, [](const At& p) { return p.value.value; }))
      .Add("low", Numbers(points, [](const At& p) { return p.value.low; }))
      .Add("high", Numbers(points, [](const At& p) { return p.value.high; }))
      .text();
}

std::string OverTimeJson(const std::vector<TimeBucket>& buckets) {
  using Bucket = TimeBucket;
  return JsonObject()
      .Add("t_s", Numbers(buckets,
                         [](const Bucket& b) {
                           return static_cast<double>(b.start_ns) * 1e-9;
                         }))
      .Add("count", Numbers(buckets,
                           [](const Bucket& b) {
                             return static_cast<double>(b.count);
                           }))
      .Add("min", Numbers(buckets, [](const Bucket& b) { return b.min_ns; }))
      .Add("median",
           Numbers(buckets, [](const Bucket& b) { return b.median_ns; }))
      .Add("p99", Numbers(buckets, [](const Bucket& b) { return b.p99_ns; }))
      .Add("max", Numbers(buckets, [](const Bucket& b) { return b.max_ns; }))
      .text();
}

std::string SpanChartsJson(const SpanAnalysis& span) {
  return JsonObject()
      .Add("histogram", HistogramJson(span.histogram))
      .Add("distribution", DistributionJson(span.distribution))
      .Add("over_time", OverTimeJson(span.over_time))
      .text();
}

std::string SeriesChartJson(const SeriesAnalysis& series) {
  return JsonObject()
      .Add("t_s", Numbers(series.trend,
                         [](const Point& p) {
                           return static_cast<double>(p.t_ns) * 1e-9;
                         }))
      .Add("value",
           Numbers(series.trend, [](const Point& p) { return p.value; }))
      .text();
}

// The documented JSON less what the charts' arrays say more compactly.
std::string PlainRunJson(const Run& run, RunAnalysis analysis) {
  for (SpanAnalysis& span : analysis.spans) {
    span.histogram = {};
  }
  for (SeriesAnalysis& series : analysis.series) {
    series.trend.clear();
  }
  return RunJson(run, analysis);
}

std::string PlainCompareJson(RunComparison comparison) {
  for (SpanComparison& span : comparison.spans) {
    span.a.histogram = {};
    span.b.histogram = {};
  }
  return CompareJson(comparison);
}

}  // namespace

std::string RunPageData(const Run& run, const RunAnalysis& analysis,
                        const stacks::StackProfile* stacks) {
  JsonArray spans;
  for (const SpanAnalysis& span : analysis.spans) {
    const bool charted = &span - analysis.spans.data() <
                         static_cast<std::ptrdiff_t>(kMaxChartedSpans);
    spans.Add(charted ? SpanChartsJson(span) : "null");
  }
  JsonArray series;
  for (const SeriesAnalysis& each : analysis.series) {
    series.Add(SeriesChartJson(each));
  }
  return JsonObject()
      .AddInt("schema", kPageSchema)
      .AddString("kind", "run")
      .Add("words", WordsJson(run))
      .Add("facts", FactsJson(RunFacts(run, analysis)))
      .AddStrings("unavailable", UnavailableText(run))
      .Add("run", PlainRunJson(run, analysis))
      .Add("span_charts", spans.text())
      .Add("series_charts", series.text())
      .Add("stacks", stacks != nullptr ? FlameJson(*stacks) : "null")
      .text();
}

std::string ComparePageData(const RunComparison& comparison) {
  const auto side = [](const std::vector<Run>& runs) {
    return runs.empty() ? "null" : WordsJson(runs.front());
  };
  JsonArray spans;
  for (const SpanComparison& span : comparison.spans) {
    const bool charted = &span - comparison.spans.data() <
                         static_cast<std::ptrdiff_t>(kMaxChartedSpans);
    spans.Add(charted ? JsonObject()
                            .Add("a", DistributionJson(span.a.distribution))
                            .Add("b", DistributionJson(span.b.distribution))
                            .text()
                      : "null");
  }
  return JsonObject()
      .AddInt("schema", kPageSchema)
      .AddString("kind", "compare")
      .Add("a", side(comparison.a))
      .Add("b", side(comparison.b))
      .Add("comparison", PlainCompareJson(comparison))
      .Add("span_charts", spans.text())
      .Add("stacks", "null")
      .text();
}

}  // namespace edgewise
