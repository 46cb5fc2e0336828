#include "live/top_text.h"

#include <algorithm>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "report/figures.h"

namespace edgewise::live {
namespace {

// A quantile, or "--" where there are too few samples for an interval.
std::string QuantileText(const std::optional<stats::Estimate>& estimate) {
  return estimate && estimate->sufficient() ? FormatDuration(estimate->value)
                                            : std::string(kUnknown);
}

std::string NodeLine(const AgentSnapshot& snapshot) {
  const NodeReading& node = snapshot.node;
  std::string line = snapshot.machine.hostname + "  " +
                     FormatUtc(snapshot.utc_ns) + "  CPU " +
                     PercentText(node.cpu_percent) + " of " +
                     FormatCount(snapshot.machine.cores, "core");
  if (node.memory) {
    line += "  memory " +
            BytesText(node.memory->total_bytes - node.memory->available_bytes) +
            " of " + BytesText(node.memory->total_bytes);
  }
  std::optional<double> hottest;
  for (const NodeTemperature& temperature : node.temperatures) {
    hottest =
        std::max(hottest.value_or(temperature.celsius), temperature.celsius);
  }
  if (hottest) {
    line += "  " + Figure(*hottest) + " °C";
  }
  for (const NodeGpu& gpu : snapshot.gpus.devices) {
    line +=
        "  " + gpu.device.name + " " + PercentText(gpu.reading.busy_percent);
    if (gpu.reading.memory_used_bytes) {
      line += " " + BytesText(*gpu.reading.memory_used_bytes);
    }
  }
  if (node.power.total_watts) {
    line += "  " + Figure(*node.power.total_watts) + " W";
  }
  return line;
}

std::string CoresText(std::optional<double> cores) {
  return cores ? Figure(*cores) : std::string(kUnknown);
}

// What it has promised and what it may use of the CPU, in cores.
void AddControlCells(const AppSnapshot& app, std::vector<Cell>* row) {
  const control::AppControlState& state = app.control;
  const bool missed = state.miss_ratio.value_or(0) > 1;
  row->push_back({app.goal.empty() ? std::string(kUnknown) : app.goal,
                  missed ? Tone::kWarning : Tone::kPlain});
  row->push_back({CoresText(state.quota_cores),
                  state.gives_way ? Tone::kWarning : Tone::kPlain});
}

std::string ControlText(const ControlSnapshot& control,
                        const TextStyle& style) {
  constexpr size_t kShown = 5;
  std::string text =
      "\ngoals take " + Figure(control.wanted_cores) + " of " +
      Figure(control.capacity_cores) + " cores, " +
      FormatCount(static_cast<int64_t>(control.changes), "change") +
      (control.observe ? " (only observed)" : "") + "\n";
  const size_t first =
      control.last.size() > kShown ? control.last.size() - kShown : 0;
  for (size_t i = first; i < control.last.size(); ++i) {
    text +=
        Tint(control::DecisionText(control.last[i]), Tone::kDim, style) + "\n";
  }
  return text;
}

std::vector<Cell> RowOf(const AppSnapshot& app, bool controlled) {
  const AppIdentity& who = app.identity;
  std::vector<Cell> row;
  row.push_back(
      {who.name + "/" + who.instance, app.alive ? Tone::kStrong : Tone::kDim});
  row.push_back({!who.pod.empty() ? who.pod : who.container, Tone::kPlain});
  const auto text = [&](std::string cell) {
    row.push_back({std::move(cell), app.alive ? Tone::kPlain : Tone::kDim});
  };
  text(app.alive ? std::to_string(app.pid) : "gone");
  text(app.reading ? PercentText(app.reading->cpu_percent)
                   : std::string(kUnknown));
  text(app.reading ? BytesText(app.reading->rss_bytes) : std::string(kUnknown));
  if (controlled) {
    AddControlCells(app, &row);
  }
  const MetricSnapshot* metric = MainMetric(app);
  const auto window = [&](Window w) -> const WindowFigures* {
    return metric != nullptr ? &metric->windows[static_cast<size_t>(w)]
                             : nullptr;
  };
  const WindowFigures* now = window(Window::k2s);
  const WindowFigures* minute = window(Window::k1min);
  text(metric != nullptr ? metric->name : std::string(kUnknown));
  text(now != nullptr && now->rate_per_s ? Figure(*now->rate_per_s)
                                         : std::string(kUnknown));
  text(now != nullptr ? QuantileText(now->p50) : std::string(kUnknown));
  text(minute != nullptr ? QuantileText(minute->p95) : std::string(kUnknown));
  text(minute != nullptr ? QuantileText(minute->p99) : std::string(kUnknown));
  return row;
}

}  // namespace

std::string TopStyleText(const TextStyle& style) {
  return std::to_string(style.width) + (style.color ? " color" : " plain") +
         (style.unicode ? " unicode" : " ascii");
}

TextStyle ParseTopStyle(std::string_view text) {
  TextStyle style;
  const auto words = SplitFields(text);
  if (!words.empty()) {
    const auto width = ParseInt(words.front());
    style.width =
        static_cast<int>(std::clamp<int64_t>(width.value_or(80), 40, 1000));
  }
  const auto has = [&](std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  style.color = has("color");
  style.unicode = !has("ascii");
  return style;
}

std::string TopText(const AgentSnapshot& snapshot, const TextStyle& style) {
  std::string text = NodeLine(snapshot) + "\n\n";
  Table table;
  table.columns = {{"app", false}, {"container", false, true},
                   {"pid"},        {"CPU"},
                   {"memory"},     {"span", false, true},
                   {"per s"},      {"p50 2s"},
                   {"p95 1m"},     {"p99 1m"}};
  if (snapshot.control) {
    const Column control[] = {{"goal", false, true}, {"CPU limit"}};
    table.columns.insert(table.columns.begin() + 5, std::begin(control),
                         std::end(control));
  }
  const bool containers = std::any_of(
      snapshot.apps.begin(), snapshot.apps.end(),
      [](const AppSnapshot& app) { return !app.identity.container.empty(); });
  for (const AppSnapshot& app : snapshot.apps) {
    table.rows.push_back(RowOf(app, snapshot.control.has_value()));
  }
  if (!containers) {
    table.columns.erase(table.columns.begin() + 1);
    for (std::vector<Cell>& row : table.rows) {
      row.erase(row.begin() + 1);
    }
  }
  text += table.rows.empty()
              ? std::string(
                    "No app is connected. Apps with the in-app library "
                    "find the agent by themselves.\n")
              : TextTable(table, style);
  if (snapshot.control) {
    text += ControlText(*snapshot.control, style);
  }
  for (const AppSnapshot& app : snapshot.apps) {
    const std::string name = app.identity.name + "/" + app.identity.instance;
    for (const Anomaly& anomaly : app.anomalies) {
      text +=
          Tint("! " + name + ": " + anomaly.evidence, Tone::kWarning, style) +
          "\n";
    }
    if (app.account.dropped() > 0) {
      text += Tint("! " + name + " lost " +
                       FormatCount(static_cast<int64_t>(app.account.dropped()),
                                   "record") +
                       ": give it larger rings (EDGEWISE_RING_BYTES)",
                   Tone::kWarning, style) +
              "\n";
    }
  }
  return text;
}

}  // namespace edgewise::live
