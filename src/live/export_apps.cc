// The families edgewise_app_*.
#include <functional>

#include "live/export_metrics.h"
#include "live/labelled_app.h"

namespace edgewise::live {
namespace {

constexpr double kNsPerS = 1e9;

class AppExport {
 public:
  AppExport(const std::vector<LabelledApp>& apps, http::Exposition& to)
      : to_(to), apps_(apps) {}

  void All() {
    Identity();
    Records();
    System();
    Anomalies();
  }

 private:
  using Figure = std::function<std::optional<int64_t>(const AppSnapshot&)>;
  using Reading = std::function<std::optional<int64_t>(const AppReading&)>;

  void Each(const Figure& figure) {
    for (const LabelledApp& entry : apps_) {
      to_.Sample(entry.labels, figure(*entry.app));
    }
  }
  void EachReading(const Reading& figure, double scale = 1) {
    for (const LabelledApp& entry : apps_) {
      const auto value =
          entry.app->reading ? figure(*entry.app->reading) : std::nullopt;
      if (value) {
        to_.Sample(entry.labels, static_cast<double>(*value) * scale);
      }
    }
  }
  void Identity();
  void Records();
  void System();
  void Pressure();
  void Anomalies();

  http::Exposition& to_;
  const std::vector<LabelledApp>& apps_;
};

void AppExport::Identity() {
  to_.Family("edgewise_app_info", http::FamilyType::kGauge,
             "1; who the app is, with the labels that it gave itself.");
  for (const LabelledApp& entry : apps_) {
    http::LabelText more;
    more.Add("pid", std::to_string(entry.app->pid));
    more.Add("user", std::to_string(entry.app->uid));
    for (const auto& [key, value] : entry.app->identity.labels) {
      more.Add(key, value);
    }
    to_.Sample(entry.labels + "," + more.text(), 1.0);
  }
  to_.Family("edgewise_app_up", http::FamilyType::kGauge,
             "1 while the app is connected, 0 for some time after its end.");
  Each([](const AppSnapshot& app) { return app.alive ? 1 : 0; });
  to_.Family("edgewise_app_start_time_seconds", http::FamilyType::kGauge,
             "When the app connected, in seconds since 1970.", "seconds");
  for (const LabelledApp& entry : apps_) {
    to_.Sample(entry.labels,
               static_cast<double>(entry.app->started_utc_ns) / kNsPerS);
  }
  to_.Family("edgewise_app_restarts", http::FamilyType::kCounter,
             "How often the app was gone and came back as another process.");
  Each([](const AppSnapshot& app) {
    return static_cast<int64_t>(app.restarts);
  });
  to_.Family("edgewise_app_gaps", http::FamilyType::kCounter,
             "Times in which the app ran and nobody collected.");
  Each([](const AppSnapshot& app) { return static_cast<int64_t>(app.gaps); });
  to_.Family("edgewise_app_last_gap_seconds", http::FamilyType::kGauge,
             "How long the last of them was.", "seconds");
  for (const LabelledApp& entry : apps_) {
    if (entry.app->last_gap_s) {
      to_.Sample(entry.labels, *entry.app->last_gap_s);
    }
  }
}

void AppExport::Records() {
  to_.Family("edgewise_app_records", http::FamilyType::kCounter,
             "Records of the in-app library that arrived.");
  Each([](const AppSnapshot& app) {
    return static_cast<int64_t>(app.account.delivered);
  });
  to_.Family("edgewise_app_records_dropped", http::FamilyType::kCounter,
             "Records that did not arrive, by what was in the way.");
  for (const LabelledApp& entry : apps_) {
    const RingAccount& account = entry.app->account;
    const std::pair<const char*, uint64_t> reasons[] = {
        {"ring_full", account.dropped_full},
        {"signal_handler", account.dropped_reentry},
        {"too_many_threads", account.dropped_no_slot},
        {"too_many_names", account.dropped_no_name},
        {"senseless", account.invalid}};
    for (const auto& [reason, count] : reasons) {
      to_.Sample(entry.With("reason", reason), static_cast<double>(count));
    }
  }
}

void AppExport::System() {
  to_.Family("edgewise_app_cpu_seconds", http::FamilyType::kCounter,
             "CPU time of the app's processes since the agent knows it.",
             "seconds");
  EachReading([](const AppReading& r) { return r.cpu_ns; }, 1e-9);
  to_.Family("edgewise_app_memory_rss_bytes", http::FamilyType::kGauge,
             "Resident memory of the app's processes.", "bytes");
  EachReading([](const AppReading& r) { return r.rss_bytes; });
  to_.Family("edgewise_app_memory_working_set_bytes", http::FamilyType::kGauge,
             "Memory of its own cgroup without idle file pages.", "bytes");
  EachReading([](const AppReading& r) { return r.working_set_bytes; });
  to_.Family("edgewise_app_threads", http::FamilyType::kGauge,
             "Threads of the app's processes.");
  EachReading([](const AppReading& r) { return r.threads; });
  to_.Family("edgewise_app_processes", http::FamilyType::kGauge,
             "Processes of the app.");
  EachReading([](const AppReading& r) { return r.processes; });
  to_.Family("edgewise_app_io_read_bytes", http::FamilyType::kCounter,
             "Bytes that the app read from storage.", "bytes");
  EachReading([](const AppReading& r) { return r.read_bytes; });
  to_.Family("edgewise_app_io_written_bytes", http::FamilyType::kCounter,
             "Bytes that the app wrote to storage.", "bytes");
  EachReading([](const AppReading& r) { return r.write_bytes; });
  to_.Family("edgewise_app_cpu_throttled_seconds", http::FamilyType::kCounter,
             "Time for which the app's own cgroup was held back by its quota.",
             "seconds");
  EachReading([](const AppReading& r) { return r.throttled_ns; }, 1e-9);
  to_.Family("edgewise_app_cpu_throttled_periods", http::FamilyType::kCounter,
             "Periods in which it was.");
  EachReading([](const AppReading& r) { return r.throttled_periods; });
  to_.Family("edgewise_app_oom_kills", http::FamilyType::kCounter,
             "Processes of its own cgroup killed for want of memory.");
  EachReading([](const AppReading& r) { return r.oom_kills; });
  Pressure();
}

void AppExport::Pressure() {
  to_.Family(
      "edgewise_app_pressure_waiting_seconds", http::FamilyType::kCounter,
      "Time in which some task of its own cgroup waited (PSI).", "seconds");
  for (const LabelledApp& entry : apps_) {
    if (!entry.app->reading) {
      continue;
    }
    const AppReading& reading = *entry.app->reading;
    const std::pair<const char*, const std::optional<edgewise::Pressure>&>
        resources[] = {{"cpu", reading.cpu_pressure},
                       {"memory", reading.memory_pressure},
                       {"io", reading.io_pressure}};
    for (const auto& [resource, pressure] : resources) {
      if (pressure) {
        to_.Sample(entry.With("resource", resource),
                   static_cast<double>(pressure->some_ns) / kNsPerS);
      }
    }
  }
}

void AppExport::Anomalies() {
  to_.Family("edgewise_app_anomaly", http::FamilyType::kGauge,
             "1 where the app has left its card.");
  for (const LabelledApp& entry : apps_) {
    for (const Anomaly& anomaly : entry.app->anomalies) {
      to_.Sample(entry.With("kind", anomaly.kind), 1.0);
    }
  }
}

http::LabelText LabelsOf(const AppIdentity& identity) {
  http::LabelText labels;
  labels.Add("app", identity.name).Add("instance", identity.instance);
  labels.Add("container", identity.container).Add("pod", identity.pod);
  return labels;
}

}  // namespace

std::vector<LabelledApp> LabelApps(const AgentSnapshot& snapshot) {
  std::vector<LabelledApp> apps;
  for (const AppSnapshot& app : snapshot.apps) {
    apps.push_back({&app, LabelsOf(app.identity).text()});
  }
  return apps;
}

void ExportApps(const AgentSnapshot& snapshot, http::Exposition& to) {
  const std::vector<LabelledApp> apps = LabelApps(snapshot);
  AppExport(apps, to).All();
  ExportAppMetrics(apps, to);
}

}  // namespace edgewise::live
