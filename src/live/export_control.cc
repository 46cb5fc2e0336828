// What a controller has decided: edgewise_app_* of goals and limits, and
// edgewise_control_*.
#include <map>

#include "live/export_metrics.h"
#include "live/labelled_app.h"

namespace edgewise::live {
namespace {

using Figure = std::optional<double> (*)(const AppSnapshot&);

void Each(const std::vector<LabelledApp>& apps, Figure figure,
          http::Exposition& to) {
  for (const LabelledApp& entry : apps) {
    const auto value =
        entry.app->control.under_control ? figure(*entry.app) : std::nullopt;
    if (value) {
      to.Sample(entry.labels, *value);
    }
  }
}

void ExportDecisions(const ControlSnapshot& control, http::Exposition& to) {
  to.One("edgewise_control_decisions", http::FamilyType::kCounter,
         "Decisions since the agent began to control.",
         static_cast<double>(control.decisions));
  to.One("edgewise_control_changes", http::FamilyType::kCounter,
         "Changes of limits and knobs that were carried out.",
         static_cast<double>(control.changes));
  to.One("edgewise_control_observe", http::FamilyType::kGauge,
         "1 if the controller decides and does nothing.",
         control.observe ? 1 : 0);
  to.One("edgewise_control_capacity_cores", http::FamilyType::kGauge,
         "Cores that apps may use, all together.", control.capacity_cores);
  to.One("edgewise_control_wanted_cores", http::FamilyType::kGauge,
         "Cores that all goals take.", control.wanted_cores);
  to.One("edgewise_control_left_cores", http::FamilyType::kGauge,
         "Cores that nobody was given.", control.left_cores);
}

}  // namespace

void ExportControl(const AgentSnapshot& snapshot, http::Exposition& to) {
  if (!snapshot.control) {
    return;
  }
  const std::vector<LabelledApp> apps = LabelApps(snapshot);
  to.Family("edgewise_app_goal_info", http::FamilyType::kGauge,
            "1; what the app has promised.");
  for (const LabelledApp& entry : apps) {
    if (!entry.app->goal.empty()) {
      to.Sample(entry.With("goal", entry.app->goal), 1.0);
    }
  }
  to.Family("edgewise_app_goal_miss_ratio", http::FamilyType::kGauge,
            "How far the app is from its goal: above 1 it misses it.", "ratio");
  Each(
      apps, [](const AppSnapshot& app) { return app.control.miss_ratio; }, to);
  to.Family("edgewise_app_goal_met", http::FamilyType::kGauge,
            "1 if the app meets its goal, over about two seconds.");
  Each(
      apps,
      [](const AppSnapshot& app) {
        const auto ratio = app.control.miss_ratio;
        return ratio ? std::optional(*ratio <= 1 ? 1.0 : 0.0) : std::nullopt;
      },
      to);
  to.Family("edgewise_app_cpu_quota_cores", http::FamilyType::kGauge,
            "Cores that the controller lets the app use.");
  Each(
      apps, [](const AppSnapshot& app) { return app.control.quota_cores; }, to);
  to.Family("edgewise_app_cpu_wanted_cores", http::FamilyType::kGauge,
            "Cores that its goal takes.");
  Each(
      apps, [](const AppSnapshot& app) { return app.control.wanted_cores; },
      to);
  to.Family("edgewise_app_gives_way", http::FamilyType::kGauge,
            "1 if the app gets less than its goal takes.");
  Each(
      apps,
      [](const AppSnapshot& app) {
        return app.goal.empty()
                   ? std::nullopt
                   : std::optional(app.control.gives_way ? 1.0 : 0.0);
      },
      to);
  to.Family("edgewise_app_memory_limit_bytes", http::FamilyType::kGauge,
            "Memory that the controller lets the app hold.", "bytes");
  Each(
      apps,
      [](const AppSnapshot& app) {
        const auto bytes = app.control.memory_bytes;
        return bytes ? std::optional(static_cast<double>(*bytes))
                     : std::nullopt;
      },
      to);
  to.Family("edgewise_app_knob", http::FamilyType::kGauge,
            "What the controller has set a knob of the app to.");
  for (const LabelledApp& entry : apps) {
    for (const auto& [name, value] : entry.app->control.knobs) {
      to.Sample(entry.With("knob", name), value);
    }
  }
  ExportDecisions(*snapshot.control, to);
}

}  // namespace edgewise::live
