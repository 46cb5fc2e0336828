#include "report/run_json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "report/run_facts.h"
#include "report/stacks_json.h"
#include "stats/quantile.h"
#include "store/run_json.h"

namespace edgewise {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kNsPerMillisecond = 1e6;

// What is not finite has no JSON form: null.
Json Number(std::optional<double> value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json Ms(std::optional<double> ns) {
  return ns ? Number(*ns / kNsPerMillisecond) : Json(nullptr);
}

Json IntervalMs(const std::optional<stats::Estimate>& estimate) {
  if (!estimate) {
    return nullptr;
  }
  return Json{{"value", Ms(estimate->value)},
              {"low", Ms(estimate->low)},
              {"high", Ms(estimate->high)}};
}

void AddSummary(const stats::SpanSummary& summary, Json* json) {
  Json& out = *json;
  out["mean_ms"] = Ms(summary.mean);
  out["min_ms"] = Ms(summary.min);
  out["max_ms"] = Ms(summary.max);
  out["stddev_ms"] = Ms(summary.stddev);
  out["jitter_ms"] = Ms(summary.jitter);
  out["p50_ms"] = IntervalMs(summary.p50);
  out["p90_ms"] = IntervalMs(summary.p90);
  out["p95_ms"] = IntervalMs(summary.p95);
  out["p99_ms"] = IntervalMs(summary.p99);
  out["p999_ms"] = IntervalMs(summary.p999);
  out["n_effective"] = Number(summary.n_effective);
  out["lag1_autocorrelation"] = Number(summary.lag1);
  out["from_sketch"] = summary.used_sketch;
}

Json JobsJson(const JobAnalysis& jobs) {
  Json response;
  response["count"] = jobs.response_ns.count;
  AddSummary(jobs.response_ns, &response);
  return {{"deadline_misses", jobs.deadline_misses},
          {"max_lateness_ms", Ms(jobs.max_lateness_ns)},
          {"response", std::move(response)}};
}

Json SpanJson(const SpanAnalysis& span) {
  const stats::SpanSummary& wall = span.wall_ns;
  Json json;
  json["name"] = span.name;
  json["count"] = wall.count;
  json["dropped"] = span.dropped;
  json["warmup_excluded"] = span.warmup_excluded;
  json["summarised"] = span.summarised;
  AddSummary(wall, &json);
  json["warmup_detected"] =
      wall.warmup_count ? Json(*wall.warmup_count) : Json(nullptr);
  json["rate_per_s"] = Number(wall.throughput_per_s);
  json["cpu_count"] = span.cpu_count;
  json["cpu_mean_ms"] = Ms(span.cpu_mean_ns);
  json["cpu_total_ms"] = Ms(span.cpu_total_ns);
  Json bins = Json::array();
  for (const stats::HistogramBin& bin : span.histogram.bins) {
    bins.push_back({{"low_ms", Ms(bin.low)},
                    {"high_ms", Ms(bin.high)},
                    {"count", bin.count}});
  }
  json["histogram"] = std::move(bins);
  json["jobs"] = span.jobs ? JobsJson(*span.jobs) : Json(nullptr);
  return json;
}

Json SpansJson(const std::vector<SpanAnalysis>& spans) {
  Json array = Json::array();
  for (const SpanAnalysis& span : spans) {
    array.push_back(SpanJson(span));
  }
  return array;
}

Json SeriesJson(const SeriesAnalysis& series) {
  Json points = Json::array();
  for (const Point& point : series.trend) {
    points.push_back(
        {static_cast<double>(point.t_ns) / 1e9, Number(point.value)});
  }
  return {{"name", series.name},
          {"source", series.kind == SeriesKind::kGauge ? "app" : "system"},
          {"unit", series.unit},
          {"count", series.count},
          {"dropped", series.dropped},
          {"min", Number(series.min)},
          {"mean", Number(series.mean)},
          {"max", Number(series.max)},
          {"last", Number(series.last)},
          {"points", std::move(points)}};
}

// The stored document with what users of the schema need in other places: the
// totals stand beside `id`, times of day are texts, durations are seconds.
// Field names come from the store, so that there is one list of them.
Json DocumentJson(const Run& run) {
  Json document =
      Json::parse(RunToJson(run), nullptr, /*allow_exceptions=*/false);
  Json json{{"schema", kJsonSchema}};
  if (!document.is_object()) {
    return json;
  }
  Json totals = std::move(document["totals"]);
  Json& conditions = document["conditions"];
  for (const std::string name : {"warmup", "duration", "timeout"}) {
    const Json ns = conditions[name + "_ns"];
    conditions.erase(name + "_ns");
    conditions[name + "_s"] =
        ns.is_number() ? Json(ns.get<double>() / 1e9) : Json(nullptr);
  }
  for (const char* name :
       {"totals", "started_utc_ns", "started_monotonic_ns"}) {
    document.erase(name);
  }
  for (auto& [name, value] : document.items()) {
    json[name] = std::move(value);
    if (name == "state") {
      json["interrupted"] = run.state == RunState::kInterrupted;
      json["started_at"] = FormatUtc(run.started_utc_ns);
    } else if (name == "signal" && totals.is_object()) {
      json.update(totals);
    }
  }
  return json;
}

Json AnalysedJson(const Run& run, const RunAnalysis& analysis) {
  Json json = DocumentJson(run);
  json["cpu_percent"] = Number(analysis.cpu_percent);
  json["instructions_per_cycle"] = Number(analysis.instructions_per_cycle);
  json["cache_miss_percent"] = Number(analysis.cache_miss_percent);
  json["branch_miss_percent"] = Number(analysis.branch_miss_percent);
  json["spans"] = SpansJson(analysis.spans);
  json["series"] = Json::array();
  for (const SeriesAnalysis& series : analysis.series) {
    json["series"].push_back(SeriesJson(series));
  }
  json["functions"] = FunctionsJson(analysis.stacks);
  json["stacks"] = StacksJson(analysis.stacks);
  if (run.gpu && run.gpu->summary) {
    json["gpu"]["summary"]["advice"] = GpuAdvice(*run.gpu->summary);
  }
  json["warnings"] = RunWarnings(run, analysis);
  return json;
}

Json SummaryJson(const GroupAnalysis& analysis) {
  Json figures = Json::object();
  for (const RepeatFigure& figure : analysis.figures) {
    figures[figure.name] = {
        {"unit", figure.unit},         {"count", figure.count},
        {"mean", Number(figure.mean)}, {"low", Number(figure.low)},
        {"high", Number(figure.high)}, {"stddev", Number(figure.stddev)},
        {"min", Number(figure.min)},   {"max", Number(figure.max)}};
  }
  return {{"runs", analysis.runs},
          {"figures", std::move(figures)},
          {"spans", SpansJson(analysis.spans)},
          {"warnings", analysis.warnings}};
}

Json ComparisonJson(const stats::Comparison& comparison) {
  return {{"ratio", Number(comparison.ratio)},
          {"low", Number(comparison.low)},
          {"high", Number(comparison.high)},
          {"verdict", std::string(stats::VerdictText(comparison.verdict))},
          {"method", comparison.method},
          {"reason", comparison.reason}};
}

Json SideJson(const std::vector<Run>& runs) {
  Json ids = Json::array();
  for (const Run& run : runs) {
    ids.push_back(run.id);
  }
  return {{"runs", std::move(ids)},
          {"label", runs.empty() ? "" : runs.front().label},
          {"command",
           runs.empty() ? std::vector<std::string>{} : runs.front().command}};
}

std::string Compact(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool IsNumeric(const Json& json) {
  return json.is_array() &&
         std::all_of(json.begin(), json.end(), [](const Json& element) {
           return element.is_number() || element.is_null() ||
                  IsNumeric(element);
         });
}

// Short values and arrays of numbers on one line, everything else indented: a
// person should be able to read it too.
void Write(const Json& json, size_t indent, std::string* text) {
  constexpr size_t kLineBytes = 76;
  std::string compact = Compact(json);
  if (json.is_primitive() || json.empty() || IsNumeric(json) ||
      (indent > 0 && indent + compact.size() <= kLineBytes)) {
    *text += compact;
    return;
  }
  const std::string margin(indent + 2, ' ');
  *text += json.is_object() ? "{" : "[";
  bool first = true;
  for (const auto& [key, value] : json.items()) {
    *text += (first ? "\n" : ",\n") + margin;
    first = false;
    if (json.is_object()) {
      *text += Compact(key) + ": ";
    }
    Write(value, indent + 2, text);
  }
  *text += "\n" + std::string(indent, ' ') + (json.is_object() ? "}" : "]");
}

std::string Text(const Json& json) {
  std::string text;
  Write(json, 0, &text);
  text += '\n';
  return text;
}

}  // namespace

std::string RunJson(const Run& run, const RunAnalysis& analysis) {
  return Text(AnalysedJson(run, analysis));
}

std::string GroupJson(std::span<const Run> runs,
                      const GroupAnalysis& analysis) {
  Json json{{"schema", kJsonSchema},
            {"group", runs.empty() ? "" : runs.front().group},
            {"runs", Json::array()},
            {"summary", SummaryJson(analysis)}};
  for (size_t i = 0; i < runs.size(); ++i) {
    json["runs"].push_back(i < analysis.each.size()
                               ? AnalysedJson(runs[i], analysis.each[i])
                               : DocumentJson(runs[i]));
  }
  return Text(json);
}

std::string ListJson(std::span<const Run> runs) {
  Json json{{"schema", kJsonSchema}, {"runs", Json::array()}};
  for (const Run& run : runs) {
    json["runs"].push_back(DocumentJson(run));
  }
  return Text(json);
}

std::string CompareJson(const RunComparison& comparison,
                        std::span<const GateFinding> gates) {
  Json json{{"schema", kJsonSchema},
            {"a", SideJson(comparison.a)},
            {"b", SideJson(comparison.b)},
            {"interleaved", comparison.interleaved},
            {"totals", Json::array()},
            {"spans", Json::array()},
            {"only_in_a", comparison.only_in_a},
            {"only_in_b", comparison.only_in_b},
            {"functions", FunctionChangesJson(comparison.functions)},
            {"warnings", comparison.warnings}};
  for (const TotalComparison& total : comparison.totals) {
    Json row{{"name", total.name},
             {"unit", total.unit},
             {"a", Number(total.a)},
             {"b", Number(total.b)}};
    row.update(ComparisonJson(total.ratio));
    json["totals"].push_back(std::move(row));
  }
  for (const SpanComparison& span : comparison.spans) {
    json["spans"].push_back({{"name", span.name},
                             {"a", SpanJson(span.a)},
                             {"b", SpanJson(span.b)},
                             {"mean", ComparisonJson(span.mean)},
                             {"median", ComparisonJson(span.median)},
                             {"p99", ComparisonJson(span.p99)}});
  }
  for (const GateFinding& gate : gates) {
    json["gates"].push_back(
        {{"figure", gate.what},
         {"fails", gate.outcome == GateOutcome::kHolds},
         {"known", gate.outcome != GateOutcome::kInsufficient},
         {"value", Number(gate.value)},
         {"low", Number(gate.low)},
         {"high", Number(gate.high)},
         {"sentence", gate.sentence}});
  }
  return Text(json);
}

}  // namespace edgewise
