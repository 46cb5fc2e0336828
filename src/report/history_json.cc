#include "base/clock.h"
#include "history/version_changes.h"
#include "report/estimate_json.h"
#include "report/history_text.h"
#include "report/json_writer.h"

namespace edgewise {
namespace {

constexpr size_t kMostFunctions = 20;

std::string FigureJson(const std::optional<RunFigure>& figure) {
  return figure ? JsonObject()
                      .AddInt("runs", figure->runs)
                      .AddNumber("mean", figure->mean.value)
                      .AddNumber("low", figure->mean.low)
                      .AddNumber("high", figure->mean.high)
                      .AddNumber("max", figure->most)
                      .text()
                : "null";
}

std::string BoundsJson(const std::optional<Bounds>& bounds) {
  return bounds ? JsonObject()
                      .AddNumber("lower", bounds->lower)
                      .AddNumber("target", bounds->target)
                      .AddNumber("upper", bounds->upper)
                      .text()
                : "null";
}

std::string VersionJson(const VersionProfile& version) {
  std::vector<std::string> ids;
  for (const Run& run : version.runs) {
    ids.push_back(run.id);
  }
  JsonArray spans;
  for (const SpanAnalysis& span : version.spans) {
    const stats::SpanSummary& all = span.wall_ns;
    spans.Add(JsonObject()
                  .AddString("name", span.name)
                  .AddInt("count", all.count)
                  .AddNumber("mean_ns", all.mean)
                  .Add("p50_ns", EstimateJson(all.p50))
                  .Add("p95_ns", EstimateJson(all.p95))
                  .Add("p99_ns", EstimateJson(all.p99))
                  .AddNumber("max_ns", all.max)
                  .text());
  }
  JsonObject object;
  version.version.empty() ? object.Add("version", "null")
                          : object.AddString("version", version.version);
  return object.AddStrings("runs", ids)
      .AddInt("failed", version.failed)
      .Add("wall_s", FigureJson(version.wall_s))
      .Add("cpu_cores", FigureJson(version.cpu_cores))
      .Add("memory_bytes", FigureJson(version.memory_bytes))
      .Add("gpu_memory_bytes", FigureJson(version.gpu_memory_bytes))
      .Add("energy_j", FigureJson(version.energy_j))
      .Add("spans", spans.text())
      .text();
}

std::string ChangeJson(const VersionChange& change) {
  return JsonObject()
      .AddString("figure", change.figure)
      .AddString("unit", change.unit)
      .AddString("from", change.from)
      .AddString("to", change.to)
      .AddNumber("before", change.before)
      .AddNumber("after", change.after)
      .AddNumber("ratio", change.ratio.ratio)
      .AddNumber("low", change.ratio.low)
      .AddNumber("high", change.ratio.high)
      .Add("regression", IsRegression(change) ? "true" : "false")
      .Add("within_runs", change.within_runs ? "true" : "false")
      .text();
}

std::string LineJson(const HistoryLine& line) {
  JsonArray versions;
  for (const VersionProfile& version : line.versions) {
    versions.Add(VersionJson(version));
  }
  JsonArray changes;
  for (const VersionChange& change : line.changes) {
    changes.Add(ChangeJson(change));
  }
  const ResourceAdvice& advice = line.resources;
  return JsonObject()
      .AddString("target", line.target)
      .AddString("machine", line.machine.hostname)
      .AddString("fingerprint", line.machine.fingerprint)
      .AddString("cpu_model", line.machine.cpu_model)
      .Add("versions", versions.text())
      .Add("changes", changes.text())
      .AddInt("compared", line.compared)
      .AddInt("insufficient", line.insufficient)
      .Add("resources",
           JsonObject()
               .Add("cpu_cores", BoundsJson(advice.cpu_cores))
               .Add("memory_bytes", BoundsJson(advice.memory_bytes))
               .Add("gpu_memory_bytes", BoundsJson(advice.gpu_memory_bytes))
               .Add("gpu_bandwidth_gbs", BoundsJson(advice.gpu_bandwidth_gbs))
               .AddString("doubt", advice.doubt)
               .text())
      .text();
}

std::string FunctionsJson(const History& history) {
  if (!history.functions) {
    return "null";
  }
  JsonArray functions;
  size_t count = 0;
  for (const stacks::FunctionUse& use : history.functions->functions) {
    if (++count > kMostFunctions) {
      break;
    }
    functions.Add(JsonObject()
                      .AddString("name", use.name)
                      .AddString("module", use.module)
                      .AddNumber("self_percent", use.self_percent)
                      .AddNumber("total_percent", use.total_percent)
                      .text());
  }
  return functions.text();
}

}  // namespace

std::string HistoryJson(const History& history) {
  JsonArray lines;
  for (const HistoryLine& line : history.lines) {
    lines.Add(LineJson(line));
  }
  std::string worst = "null";
  if (history.worst_memory) {
    worst = JsonObject()
                .AddInt("bytes", history.worst_memory->bytes)
                .AddString("run", history.worst_memory->run_id)
                .AddString("version", history.worst_memory->version)
                .AddString("target", history.worst_memory->target)
                .AddString("machine", history.worst_memory->machine)
                .text();
  }
  return JsonObject()
             .AddString("app", history.app)
             .AddInt("runs", history.runs)
             .AddInt("failed", history.failed)
             .AddInt("varied", history.varied)
             .AddString("first", FormatUtc(history.first_utc_ns))
             .AddString("last", FormatUtc(history.last_utc_ns))
             .Add("worst_memory", worst)
             .Add("lines", lines.text())
             .AddString("functions_version", history.functions_version)
             .Add("functions", FunctionsJson(history))
             .AddStrings("warnings", history.warnings)
             .text() +
         "\n";
}

std::string KnownAppsJson(const std::vector<KnownApp>& apps) {
  JsonArray list;
  for (const KnownApp& app : apps) {
    list.Add(JsonObject()
                 .AddString("app", app.app)
                 .AddInt("runs", app.runs)
                 .AddStrings("versions", app.versions)
                 .AddString("last", FormatUtc(app.last_utc_ns))
                 .text());
  }
  return JsonObject().Add("apps", list.text()).text() + "\n";
}

}  // namespace edgewise
