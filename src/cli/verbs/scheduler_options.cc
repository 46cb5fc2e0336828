#include "cli/verbs/scheduler_options.h"

#include <filesystem>
#include <mutex>

#include "base/text.h"
#include "cli/option_values.h"
#include "orchestration/instance_files.h"
#include "orchestration/placement_file.h"

namespace edgewise::cli {
namespace {

namespace orc = orchestration;
namespace fs = std::filesystem;

constexpr char kAppAnnotation[] = "edgewise_app";

template <typename T, typename Reader>
Result<T> FromFile(const fs::path& path, Reader read) {
  const auto text = ReadFile(path);
  if (!text) {
    return text.error();
  }
  return read(*text, path.string());
}

// What stands where by the folder's files; without a placement nothing does.
class PlacedFiles {
 public:
  PlacedFiles(fs::path folder, std::vector<orc::Server> servers)
      : folder_(std::move(folder)), servers_(std::move(servers)) {}

  Result<std::vector<RunningRequest>> Read() {
    const std::lock_guard lock(mutex_);
    const auto changed = Changed();
    if (changed != read_at_ || !running_) {
      running_ = ReadFiles();
      read_at_ = changed;
    }
    return *running_;
  }

 private:
  using Times = std::pair<fs::file_time_type, fs::file_time_type>;

  Times Changed() const {
    std::error_code error;
    Times times;
    times.first = fs::last_write_time(folder_ / "requests.yaml", error);
    times.second = fs::last_write_time(folder_ / "placement.yaml", error);
    return times;
  }

  Result<std::vector<RunningRequest>> ReadFiles() const {
    std::error_code error;
    std::vector<RunningRequest> running;
    if (!fs::exists(folder_ / "placement.yaml", error)) {
      return running;
    }
    auto requests = FromFile<std::vector<orc::Request>>(
        folder_ / "requests.yaml", orc::ReadRequests);
    if (!requests) {
      return requests.error();
    }
    const orc::Instance instance{std::move(*requests), servers_};
    const auto placed = FromFile<orc::Assignment>(
        folder_ / "placement.yaml",
        [&](const std::string& text, const std::string& path) {
          return orc::ReadPlacement(text, path, instance);
        });
    if (!placed) {
      return placed.error();
    }
    for (size_t i = 0; i < placed->size(); ++i) {
      if ((*placed)[i]) {
        running.push_back(
            {instance.requests[i], instance.servers[*(*placed)[i]].name});
      }
    }
    return running;
  }

  const fs::path folder_;
  const std::vector<orc::Server> servers_;
  std::mutex mutex_;
  Times read_at_;
  std::optional<Result<std::vector<RunningRequest>>> running_;
};

}  // namespace

void AddSchedulerOptions(CLI::App& verb, SchedulerOptions& options) {
  verb.add_option("--scheduler", options.folder,
                  "Answer a Kubernetes scheduler about the servers.yaml and "
                  "pressures.yaml of this folder")
      ->type_name("DIR");
  verb.add_option("--scheduler-confidence", options.confidence,
                  "How sure each promise must be, 0.5 to 0.999 (default 0.9)")
      ->type_name("P")
      ->check(NumberFrom(0.5, 0.999));
}

Result<std::unique_ptr<Scheduler>> SchedulerFrom(
    const SchedulerOptions& options, const PrometheusOptions& prometheus,
    std::chrono::milliseconds refresh, double state_limit_s) {
  if (options.folder.empty()) {
    return std::unique_ptr<Scheduler>();
  }
  const fs::path folder = options.folder;
  SchedulerSettings settings;
  settings.confidence = options.confidence;
  settings.state_limit_s = state_limit_s;
  auto servers = FromFile<std::vector<orc::Server>>(folder / "servers.yaml",
                                                    orc::ReadServers);
  if (!servers) {
    return servers.error();
  }
  settings.servers = std::move(*servers);
  auto pressures = FromFile<orc::PressureFigures>(folder / "pressures.yaml",
                                                  orc::ReadPressures);
  if (!pressures) {
    return pressures.error();
  }
  settings.pressures = std::move(*pressures);
  // Ranks that nobody knows are a mistake now, not when a pod comes.
  const orc::PressureModel predictor(settings.pressures);
  const orc::Instance empty{{}, settings.servers};
  if (const auto problem =
          orc::Problem::Make(empty, predictor, settings.confidence);
      !problem) {
    return problem.error();
  }
  auto monitoring = PrometheusFrom(prometheus);
  if (!monitoring) {
    return monitoring.error();
  }
  if (!*monitoring) {
    auto files = std::make_shared<PlacedFiles>(folder, settings.servers);
    return std::make_unique<Scheduler>(std::move(settings), nullptr,
                                       [files] { return files->Read(); });
  }
  if (state_limit_s * 1e3 < static_cast<double>(refresh.count())) {
    return Error{
        ErrorCode::kInvalid,
        "--state-limit is shorter than --refresh: what Prometheus says "
        "would be too old before it is asked again; give --refresh a "
        "shorter time, too"};
  }
  auto shared = std::make_shared<cluster::Prometheus>(std::move(**monitoring));
  auto watch = std::make_unique<cluster::ClusterWatch>(
      [shared] { return shared->ReadPods(kAppAnnotation); }, refresh);
  return std::make_unique<Scheduler>(std::move(settings), std::move(watch),
                                     nullptr);
}

}  // namespace edgewise::cli
