#include "report/json_writer.h"
#include "report/mqtt_text.h"

namespace edgewise {
namespace {

using mqtt::PipelineCell;
using mqtt::StageFigures;

std::optional<double> Ms(std::optional<double> ns) {
  return ns ? std::optional(*ns / 1e6) : std::nullopt;
}

std::string EstimateJson(const std::optional<stats::Estimate>& estimate,
                         double unit) {
  if (!estimate) {
    return "null";
  }
  const auto in = [unit](std::optional<double> value) {
    return value ? std::optional(*value / unit) : std::nullopt;
  };
  return JsonObject()
      .AddNumber("value", estimate->value / unit)
      .AddNumber("low", in(estimate->low))
      .AddNumber("high", in(estimate->high))
      .text();
}

std::string StageJson(const StageFigures& figures) {
  const auto& ns = figures.ns;
  return JsonObject()
      .AddString("name", mqtt::StageName(figures.stage))
      .AddInt("count", ns.count)
      .Add("p50_ms", EstimateJson(ns.p50, 1e6))
      .Add("p95_ms", EstimateJson(ns.p95, 1e6))
      .Add("p99_ms", EstimateJson(ns.p99, 1e6))
      .AddNumber("mean_ms", Ms(ns.mean))
      .AddNumber("max_ms", Ms(ns.max))
      .Add("share", EstimateJson(figures.share, 1))
      .AddNumber("bound_ms", Ms(figures.bound_ns))
      .text();
}

std::string Count(std::optional<int64_t> count) {
  return count ? std::to_string(*count) : "null";
}

std::string AccountJson(const mqtt::MessageAccount& account) {
  return JsonObject()
      .Add("sent", Count(account.sent))
      .Add("received", Count(account.received))
      .Add("lost", Count(account.lost))
      .Add("duplicated", Count(account.duplicated))
      .Add("reordered", Count(account.reordered))
      .Add("foreign", Count(account.foreign))
      .Add("refused", Count(account.refused))
      .Add("rejected", Count(account.rejected))
      .Add("unsent", Count(account.unsent))
      .Add("dropped", Count(account.dropped))
      .Add("failed", Count(account.failed))
      .Add("unreplied", Count(account.unreplied))
      .Add("negative", Count(account.negative))
      .Add("unplaced", Count(account.unplaced))
      .AddNumber("in_flight_peak", account.in_flight_peak)
      .AddNumber("queued_peak", account.queued_peak)
      .text();
}

std::string CellJson(const PipelineCell& cell) {
  JsonArray stages;
  for (const StageFigures& figures : cell.stages) {
    stages.Add(StageJson(figures));
  }
  JsonArray roles;
  for (const mqtt::RoleUse& role : cell.roles) {
    roles.Add(JsonObject()
                  .AddString("name", role.name)
                  .AddNumber("cpu_percent", role.cpu_percent)
                  .AddNumber("peak_bytes", role.peak_bytes)
                  .Add("reconnects", Count(role.reconnects))
                  .text());
  }
  JsonObject details;
  for (const auto& [name, value] : cell.run.details) {
    details.AddString(name, value);
  }
  return JsonObject()
      .AddString("name", cell.name)
      .AddString("run", cell.run.id)
      .Add("stages", stages.text())
      .Add("messages", AccountJson(cell.account))
      .Add("roles", roles.text())
      .Add("details", details.text())
      .text();
}

}  // namespace

std::string MqttJson(const mqtt::PipelineReport& report) {
  JsonArray cells;
  for (const PipelineCell& cell : report.cells) {
    cells.Add(CellJson(cell));
  }
  return JsonObject()
             .AddString("group", report.group)
             .Add("cells", cells.text())
             .AddStrings("advice", report.advice)
             .text() +
         "\n";
}

}  // namespace edgewise
