// AgentSnapshot as JSON: what the live page and `top --json` read.
#include "base/clock.h"
#include "live/decision_log.h"
#include "live/snapshot.h"
#include "probes/gpu/throttle_reasons.h"
#include "report/json_writer.h"

namespace edgewise::live {
namespace {

const char* Bool(bool value) { return value ? "true" : "false"; }

template <typename T>
void AddOptionalInt(JsonObject& object, const char* name,
                    const std::optional<T>& value) {
  if (value) {
    object.AddInt(name, static_cast<int64_t>(*value));
  } else {
    object.Add(name, "null");
  }
}

// A figure with its interval; "sufficient" is false where there is none.
std::string EstimateJson(const std::optional<stats::Estimate>& estimate,
                         double unit) {
  if (!estimate) {
    return "null";
  }
  const auto scaled = [&](const std::optional<double>& value) {
    return value ? std::optional(*value / unit) : std::nullopt;
  };
  JsonObject object;
  object.AddNumber("value", estimate->value / unit);
  object.AddNumber("low", scaled(estimate->low));
  object.AddNumber("high", scaled(estimate->high));
  object.Add("sufficient", Bool(estimate->sufficient()));
  return object.text();
}

std::string MetricJson(const MetricSnapshot& metric) {
  const bool duration =
      metric.kind == EventKind::kSpan || metric.kind == EventKind::kJob;
  const double unit = duration ? 1e6 : 1;
  JsonObject object;
  object.AddString("name", metric.name);
  object.AddString("kind", KindName(metric.kind));
  object.AddString("unit", duration ? "ms" : "");
  object.AddInt("count", static_cast<int64_t>(metric.count));
  object.AddNumber("last", metric.last / unit);
  object.AddNumber("age_s", metric.age_s);
  if (metric.kind == EventKind::kJob) {
    object.AddInt("deadline_misses",
                  static_cast<int64_t>(metric.deadline_misses));
  }
  JsonObject windows;
  for (size_t i = 0; i < kWindows.size(); ++i) {
    const WindowFigures& figures = metric.windows[i];
    JsonObject window;
    window.AddInt("count", static_cast<int64_t>(figures.count));
    window.AddNumber("rate_per_s", figures.rate_per_s);
    window.Add("p50", EstimateJson(figures.p50, unit));
    window.Add("p95", EstimateJson(figures.p95, unit));
    window.Add("p99", EstimateJson(figures.p99, unit));
    windows.Add(WindowName(kWindows[i]), window.text());
  }
  object.Add("windows", windows.text());
  return object.text();
}

std::string ReadingJson(const AppReading& reading) {
  JsonObject object;
  object.AddNumber("cpu_percent", reading.cpu_percent);
  object.AddNumber("cpu_s", static_cast<double>(reading.cpu_ns) / 1e9);
  object.AddInt("rss_bytes", reading.rss_bytes);
  AddOptionalInt(object, "working_set_bytes", reading.working_set_bytes);
  object.AddInt("threads", reading.threads);
  object.AddInt("processes", reading.processes);
  AddOptionalInt(object, "read_bytes", reading.read_bytes);
  AddOptionalInt(object, "written_bytes", reading.write_bytes);
  AddOptionalInt(object, "throttled_periods", reading.throttled_periods);
  return object.text();
}

std::string ControlJson(const AppSnapshot& app) {
  const control::AppControlState& state = app.control;
  JsonObject knobs;
  for (const auto& [name, value] : state.knobs) {
    knobs.AddNumber(name, value);
  }
  JsonObject object;
  object.AddString("goal", app.goal);
  object.AddNumber("quota_cores", state.quota_cores);
  object.AddNumber("wanted_cores", state.wanted_cores);
  object.AddNumber("miss_ratio", state.miss_ratio);
  object.Add("gives_way", Bool(state.gives_way));
  AddOptionalInt(object, "memory_limit_bytes", state.memory_bytes);
  object.Add("knobs", knobs.text());
  return object.text();
}

std::string ControlJson(const ControlSnapshot& control) {
  JsonArray decisions;
  for (const control::Decision& decision : control.last) {
    decisions.Add(DecisionJson(decision));
  }
  return JsonObject()
      .Add("observe", Bool(control.observe))
      .AddNumber("capacity_cores", control.capacity_cores)
      .AddNumber("wanted_cores", control.wanted_cores)
      .AddNumber("left_cores", control.left_cores)
      .AddInt("changes", static_cast<int64_t>(control.changes))
      .Add("decisions", decisions.text())
      .text();
}

std::string AppJson(const AppSnapshot& app) {
  JsonObject object;
  object.AddInt("id", static_cast<int64_t>(app.id));
  object.AddString("app", app.identity.name);
  object.AddString("instance", app.identity.instance);
  object.AddString("container", app.identity.container);
  object.AddString("pod", app.identity.pod);
  JsonObject labels;
  for (const auto& [key, value] : app.identity.labels) {
    labels.AddString(key, value);
  }
  object.Add("labels", labels.text());
  object.AddInt("pid", app.pid);
  object.Add("alive", Bool(app.alive));
  object.AddString("started_utc", FormatUtc(app.started_utc_ns));
  object.AddInt("restarts", static_cast<int64_t>(app.restarts));
  object.AddInt("gaps", static_cast<int64_t>(app.gaps));
  object.AddNumber("last_gap_s", app.last_gap_s);
  object.AddInt("records", static_cast<int64_t>(app.account.delivered));
  object.AddInt("records_dropped", static_cast<int64_t>(app.account.dropped()));
  object.Add("system", app.reading ? ReadingJson(*app.reading) : "null");
  JsonArray anomalies;
  for (const Anomaly& anomaly : app.anomalies) {
    anomalies.Add(JsonObject()
                      .AddString("kind", anomaly.kind)
                      .AddString("evidence", anomaly.evidence)
                      .text());
  }
  object.Add("anomalies", anomalies.text());
  object.Add("control", app.control.under_control ? ControlJson(app) : "null");
  const MetricSnapshot* main = MainMetric(app);
  if (main != nullptr) {
    object.AddString("main_metric", main->name);
  }
  JsonArray metrics;
  for (const MetricSnapshot& metric : app.metrics) {
    metrics.Add(MetricJson(metric));
  }
  object.Add("metrics", metrics.text());
  return object.text();
}

std::string GpusJson(const NodeGpus& gpus) {
  JsonArray array;
  for (const NodeGpu& gpu : gpus.devices) {
    const GpuReading& reading = gpu.reading;
    JsonObject object;
    object.AddInt("index", gpu.device.index);
    object.AddString("name", gpu.device.name);
    object.AddNumber("busy_percent", reading.busy_percent);
    AddOptionalInt(object, "memory_total_bytes", gpu.device.memory_bytes);
    AddOptionalInt(object, "memory_used_bytes", reading.memory_used_bytes);
    object.AddNumber("power_watts", reading.watts);
    object.AddNumber("celsius", reading.celsius);
    object.AddNumber("clock_mhz", reading.sm_clock_mhz);
    object.AddStrings("throttled_by",
                      ThrottleReasons(reading.throttle_bits.value_or(0)));
    array.Add(object.text());
  }
  return array.text();
}

std::string NodeJson(const AgentSnapshot& snapshot) {
  const NodeReading& node = snapshot.node;
  JsonObject object;
  object.AddString("name", snapshot.machine.hostname);
  object.AddString("uuid", snapshot.node_uuid);
  object.AddString("cpu_model", snapshot.machine.cpu_model);
  object.AddInt("cores", snapshot.machine.cores);
  object.AddNumber("cpu_percent", node.cpu_percent);
  if (node.memory) {
    object.AddInt("memory_total_bytes", node.memory->total_bytes);
    object.AddInt("memory_available_bytes", node.memory->available_bytes);
  }
  JsonObject temperatures;
  for (const NodeTemperature& temperature : node.temperatures) {
    temperatures.AddNumber(temperature.zone, temperature.celsius);
  }
  object.Add("temperatures_celsius", temperatures.text());
  object.AddNumber("power_watts", node.power.total_watts);
  JsonArray disks;
  for (const NodeDisk& disk : node.disks) {
    disks.Add(JsonObject()
                  .AddString("mount", disk.mount)
                  .AddInt("total_bytes", disk.total_bytes)
                  .AddInt("available_bytes", disk.available_bytes)
                  .text());
  }
  object.Add("disks", disks.text());
  object.Add("gpus", GpusJson(snapshot.gpus));
  return object.text();
}

}  // namespace

const char* KindName(EventKind kind) {
  constexpr const char* kNames[] = {"span", "gauge", "counter", "rate", "job"};
  return kNames[static_cast<size_t>(kind)];
}

std::string SnapshotJson(const AgentSnapshot& snapshot) {
  JsonObject agent;
  agent.AddString("version", snapshot.version);
  agent.AddNumber("cpu_s", snapshot.agent.cpu_s);
  agent.AddInt("rss_bytes", snapshot.agent.rss_bytes);
  agent.AddNumber("uptime_s", snapshot.agent.uptime_s);
  agent.AddInt("refused_clients",
               static_cast<int64_t>(snapshot.agent.refused_clients));
  agent.AddString("last_refusal", snapshot.agent.last_refusal);
  JsonArray apps;
  for (const AppSnapshot& app : snapshot.apps) {
    apps.Add(AppJson(app));
  }
  return JsonObject()
      .AddString("utc", FormatUtc(snapshot.utc_ns))
      .Add("node", NodeJson(snapshot))
      .Add("agent", agent.text())
      .Add("control",
           snapshot.control ? ControlJson(*snapshot.control) : "null")
      .Add("apps", apps.text())
      .text();
}

}  // namespace edgewise::live
