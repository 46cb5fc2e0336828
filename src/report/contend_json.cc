#include "report/contend_matrix.h"
#include "report/contend_text.h"
#include "report/json_writer.h"
#include "report/svg.h"

namespace edgewise {
namespace {

std::string EstimateJson(const std::optional<stats::Estimate>& ns) {
  if (!ns) {
    return "null";
  }
  const auto ms = [](double value) { return value / 1e6; };
  return JsonObject()
      .AddNumber("value_ms", ms(ns->value))
      .AddNumber("low_ms", ns->low ? std::optional(ms(*ns->low)) : std::nullopt)
      .AddNumber("high_ms",
                 ns->high ? std::optional(ms(*ns->high)) : std::nullopt)
      .text();
}

std::string ComparisonJson(const stats::Comparison& comparison) {
  return JsonObject()
      .AddNumber("ratio", comparison.ratio)
      .AddNumber("low", comparison.low)
      .AddNumber("high", comparison.high)
      .AddString("verdict", stats::VerdictText(comparison.verdict))
      .text();
}

std::string AppJson(const ContendApp& app) {
  JsonObject object;
  object.AddString("name", app.name)
      .AddStrings("command", app.command)
      .AddString("span", app.span)
      .Add("p50", EstimateJson(app.alone.p50_ns))
      .Add("p95", EstimateJson(app.alone.p95_ns))
      .AddNumber("cores", app.cores_alone)
      .AddStrings("runs", app.alone.runs)
      .AddString("failure", app.failure);
  if (app.pressure) {
    JsonObject pressure;
    pressure.AddNumber("cpu", app.pressure->cpu_percent);
    for (size_t i = 0; i < kProbedKinds.size(); ++i) {
      pressure.AddNumber(StressKindName(kProbedKinds[i]),
                         app.pressure->dial_percent[i]);
    }
    object.Add("pressure_percent", pressure.text());
  }
  return object.text();
}

std::string SlowDownJson(const SlowDown& each) {
  JsonArray repeats;
  for (const double ratio : each.p50_ratios) {
    repeats.AddNumber(ratio);
  }
  return JsonObject()
      .AddString("app", each.actor)
      .AddStrings("beside", each.beside)
      .Add("p50", EstimateJson(each.contended.p50_ns))
      .Add("p95", EstimateJson(each.contended.p95_ns))
      .Add("p50_slow_down", ComparisonJson(each.p50))
      .Add("p95_slow_down", ComparisonJson(each.p95))
      .Add("p50_repeats", repeats.text())
      .AddStrings("runs", each.contended.runs)
      .AddString("failure", each.failure)
      .text();
}

std::string CheckJson(const PredictionCheck& check) {
  JsonArray pairs;
  for (const PairPrediction& pair : check.pairs) {
    pairs.Add(JsonObject()
                  .AddString("app", pair.app)
                  .AddString("beside", pair.beside)
                  .AddNumber("predicted", pair.predicted)
                  .AddNumber("measured", pair.measured)
                  .AddNumber("error", pair.error)
                  .text());
  }
  return JsonObject()
      .Add("pairs", pairs.text())
      .AddNumber("median_error", check.median_error)
      .AddNumber("median_noise", check.median_noise)
      .AddNumber("bar", check.bar)
      .Add("passed", check.passed ? "true" : "false")
      .text();
}

}  // namespace

std::string ContendJson(const ContendReport& report) {
  JsonArray apps;
  for (const ContendApp& app : report.apps) {
    apps.Add(AppJson(app));
  }
  JsonArray slow_downs;
  for (const SlowDown& each : report.slow_downs) {
    slow_downs.Add(SlowDownJson(each));
  }
  JsonArray probes;
  for (const SlowDown& each : report.probes) {
    probes.Add(SlowDownJson(each));
  }
  return JsonObject()
             .AddString("mode", ContendModeName(report.mode))
             .AddString("group", report.group)
             .AddInt("seed", static_cast<int64_t>(report.seed))
             .AddInt("repeat", report.repeat)
             .AddInt("cores", report.cores)
             .Add("cancelled", report.cancelled ? "true" : "false")
             .Add("apps", apps.text())
             .Add("slow_downs", slow_downs.text())
             .Add("probes", probes.text())
             .Add("check", report.check ? CheckJson(*report.check) : "null")
             .AddStrings("advice", report.advice)
             .AddStrings("warnings", report.warnings)
             .text() +
         "\n";
}

std::string ContendHtml(const ContendReport& report) {
  std::string page =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width\">"
      "<title>edgewise contend</title>\n<style>\n"
      ":root { color-scheme: light dark; }\n"
      "body { font: 15px system-ui, sans-serif; margin: 2em auto; "
      "max-width: 60em; padding: 0 1em; }\n"
      "pre { overflow-x: auto; } svg { max-width: 100%; height: auto; }\n"
      "</style></head><body>\n<h1>What neighbours cost</h1>\n<ul>\n";
  for (const std::string& advice : report.advice) {
    page += "<li>" + XmlText(advice) + "</li>\n";
  }
  page += "</ul>\n";
  const ContendMatrix matrix = MatrixOf(report);
  if (!matrix.columns.empty()) {
    page += MatrixSvg(matrix);
  }
  for (const ContendApp& app : report.apps) {
    page += SensitivitySvg(report, app.name);
  }
  TextStyle style;
  style.width = 110;
  std::string text;
  std::string rest = ContendText(report, style);
  for (size_t at = 0; at < rest.size();) {
    const size_t end = std::min(rest.find('\n', at), rest.size());
    text += XmlText(rest.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return page + "<pre>" + text + "</pre>\n</body></html>\n";
}

}  // namespace edgewise
