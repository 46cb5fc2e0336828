#include "report/page_data.h"

#include <utility>
#include <vector>

#include "base/clock.h"
#include "report/flame.h"
#include "report/json_writer.h"
#include "report/outcome.h"
#include "report/run_facts.h"
#include "report/run_json.h"
#include "report/utf8.h"
#include "stacks/difference.h"
#include "stacks/functions.h"
#include "stats/compare.h"

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
      .Add("count",
           Numbers(histogram.bins,
                   [](const Bin& b) { return static_cast<double>(b.count); }))
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

std::string_view KindName(stacks::FrameKind kind) {
  switch (kind) {
    case stacks::FrameKind::kNative:
      return "native";
    case stacks::FrameKind::kKernel:
      return "kernel";
    case stacks::FrameKind::kPython:
      return "Python";
    case stacks::FrameKind::kJit:
      return "JIT";
    case stacks::FrameKind::kMark:
      break;
  }
  return "mark";
}

JsonObject FunctionJson(const stacks::FunctionUse& function) {
  JsonObject json;
  json.AddString("name", function.name)
      .AddString("kind", KindName(function.kind))
      .AddString("module", function.module)
      .AddString("file", function.file)
      .AddInt("line", function.first_line);
  return json;
}

std::string IntervalJson(const std::optional<stats::Interval>& interval) {
  return interval ? JsonArray()
                        .AddNumber(interval->low)
                        .AddNumber(interval->high)
                        .text()
                  : "null";
}

std::string FunctionsJson(const RunAnalysis& analysis) {
  JsonArray array;
  if (!analysis.stacks) {
    return array.text();
  }
  size_t listed = 0;
  for (const stacks::FunctionUse& function : analysis.stacks->functions) {
    if (++listed > kMaxListedFunctions) {
      break;
    }
    array.Add(FunctionJson(function)
                  .AddNumber("self", function.self_percent)
                  .Add("self_interval", IntervalJson(function.self_interval))
                  .AddNumber("total", function.total_percent)
                  .Add("total_interval", IntervalJson(function.total_interval))
                  .text());
  }
  return array.text();
}

std::optional<double> TimeIn(const stacks::FunctionChange& change,
                             double stacks::TimeChange::*side) {
  return change.self.time ? std::optional((*change.self.time).*side)
                          : std::nullopt;
}

std::string ChangesJson(const RunComparison& comparison) {
  JsonArray array;
  size_t listed = 0;
  for (const stacks::FunctionChange& change : comparison.functions) {
    if (++listed > kMaxListedFunctions) {
      break;
    }
    // Where it is from is known on the sides where it ran.
    array.Add(
        FunctionJson(change.b.total > 0 ? change.b : change.a)
            .AddNumber("a", change.self.a_percent)
            .AddNumber("b", change.self.b_percent)
            .AddNumber("a_s", TimeIn(change, &stacks::TimeChange::a_s))
            .AddNumber("b_s", TimeIn(change, &stacks::TimeChange::b_s))
            .Add("time_interval", change.self.time
                                      ? IntervalJson(change.self.time->interval)
                                      : "null")
            .AddNumber("points", change.self.points)
            .Add("interval", IntervalJson(change.self.interval))
            .AddString("verdict", stats::VerdictText(change.self.verdict))
            .AddNumber("total_a", change.total.a_percent)
            .AddNumber("total_b", change.total.b_percent)
            .text());
  }
  return array.text();
}

// The documented JSON less what the charts' arrays say more compactly.
std::string PlainRunJson(const Run& run, RunAnalysis analysis) {
  for (SpanAnalysis& span : analysis.spans) {
    span.histogram = {};
  }
  for (SeriesAnalysis& series : analysis.series) {
    series.trend.clear();
  }
  analysis.stacks.reset();
  return RunJson(run, analysis);
}

std::string PlainCompareJson(RunComparison comparison) {
  for (SpanComparison& span : comparison.spans) {
    span.a.histogram = {};
    span.b.histogram = {};
  }
  comparison.functions.clear();
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
      .Add("functions", FunctionsJson(analysis))
      .AddNumber("off_cpu_percent", analysis.stacks
                                        ? analysis.stacks->off_cpu_percent
                                        : std::nullopt)
      .Add("stacks", stacks != nullptr ? FlameJson(*stacks) : "null")
      .text();
}

std::string ComparePageData(const RunComparison& comparison,
                            const stacks::StackProfile* a,
                            const stacks::StackProfile* b) {
  const bool both = a != nullptr && b != nullptr;
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
      .Add("functions", ChangesJson(comparison))
      .Add("stacks", both ? DiffFlameJson(*a, *b) : "null")
      .text();
}

}  // namespace edgewise
