#include "profiling/run_app.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/units.h"
#include "containers/container.h"
#include "containers/sweep_containers.h"
#include "impair/netem.h"
#include "profiling/app_settings.h"
#include "profiling/companion.h"
#include "sessions/outcome.h"

namespace edgewise {
namespace {

constexpr char kHostNetwork[] = "host";

class AppRun {
 public:
  AppRun(Store& store, const AppRequest& request,
         const ProgressListener& progress)
      : store_(store),
        request_(request),
        app_(request.app),
        progress_(progress) {}

  Result<std::vector<TargetRuns>> Execute();

 private:
  bool NeedsEngine() const;
  // Everything that can be refused before anything is started.
  Result<void> Prepare();
  Result<void> CheckHostProgram() const;
  Result<TargetRuns> RunTarget(const AppTarget& target);
  Result<Run> RunOnce(SessionSettings settings);
  Result<void> StartCompanions();
  // Which network the next of them shares with those that run.
  std::string Network() const;
  void AccountCompanions(Run* run);

  Store& store_;
  const AppRequest& request_;
  const AppFile& app_;
  const ProgressListener& progress_;
  std::optional<Engine> engine_;
  AppParticulars particulars_;
  std::vector<std::unique_ptr<RunningCompanion>> companions_;
};

bool AppRun::NeedsEngine() const {
  return !app_.image.empty() ||
         std::any_of(app_.needs.begin(), app_.needs.end(),
                     [](const Companion& each) { return !each.image.empty(); });
}

Result<void> AppRun::CheckHostProgram() const {
  if (app_.network.any()) {
    return Error{ErrorCode::kUnsupported,
                 "`network` needs an image: a command shares this machine's "
                 "network; see edgewise impair"};
  }
  if (!app_.limits.devices.empty() || !app_.engine_args.empty()) {
    return Error{ErrorCode::kInvalid,
                 "`devices` and `engine_args` are for images: leave them out "
                 "beside `command`"};
  }
  return {};
}

Result<void> AppRun::Prepare() {
  if (app_.image.empty()) {
    if (Result<void> checked = CheckHostProgram(); !checked) {
      return checked;
    }
  } else if (app_.network.any()) {
    if (Result<void> netem = CheckNetem(); !netem) {
      return Error{netem.error().code, "`network`: " + netem.error().message};
    }
  }
  if (!NeedsEngine()) {
    return {};
  }
  auto engine = FindEngine(app_.engine);
  if (!engine) {
    return engine.error();
  }
  engine_ = std::move(*engine);
  // What an earlier edgewise and its guardian could not clean up after; what
  // cannot be removed now hinders nobody.
  (void)SweepContainers(*engine_);
  for (const Companion& each : app_.needs) {
    if (!each.image.empty()) {
      if (const auto image = FindImage(*engine_, each.image); !image) {
        return image.error();
      }
    }
  }
  if (!app_.image.empty()) {
    const auto image = FindImage(*engine_, app_.image);
    if (!image) {
      return image.error();
    }
    particulars_.engine = &*engine_;
    particulars_.image_digest = image->digest;
  }
  return {};
}

// As in a pod: who runs beside another is reached at 127.0.0.1.
std::string AppRun::Network() const {
  const bool with_host =
      app_.image.empty() ||
      std::any_of(app_.needs.begin(), app_.needs.end(),
                  [](const Companion& each) { return each.image.empty(); });
  if (with_host && !app_.needs.empty()) {
    return kHostNetwork;
  }
  return companions_.empty()
             ? ""
             : "container:" + companions_.front()->container_name();
}

Result<void> AppRun::StartCompanions() {
  companions_.clear();
  for (const Companion& each : app_.needs) {
    RunningCompanion::Place place;
    place.home = store_.home();
    place.folder = app_.folder;
    place.engine = engine_ ? &*engine_ : nullptr;
    place.network = Network();
    auto started = RunningCompanion::Start(each, place);
    if (!started) {
      return started.error();
    }
    companions_.push_back(std::move(*started));
  }
  return {};
}

void AppRun::AccountCompanions(Run* run) {
  for (const auto& companion : companions_) {
    const CompanionUse use = companion->Use();
    const std::string key = "companion." + companion->name();
    if (use.cpu_s) {
      run->details[key + ".cpu_s"] = fmt::format("{:.3f}", *use.cpu_s);
    }
    if (use.peak_bytes) {
      run->details[key + ".memory_peak_bytes"] =
          std::to_string(*use.peak_bytes);
    }
  }
}

Result<Run> AppRun::RunOnce(SessionSettings settings) {
  if (Result<void> started = StartCompanions(); !started) {
    return started.error();
  }
  if (settings.container) {
    settings.container->spec.network = Network();
  }
  for (const auto& companion : companions_) {
    companion->CountFromNow();
  }
  if (!companions_.empty()) {
    settings.check = [this]() -> std::optional<Error> {
      for (const auto& companion : companions_) {
        if (auto problem = companion->Problem()) {
          return problem;
        }
      }
      return std::nullopt;
    };
    settings.complete = [this](Run* run) { AccountCompanions(run); };
  }
  auto run = RunSession(store_, settings, progress_);
  // An engine that cannot start the app says nothing of the companion whose
  // network was to be shared.
  const auto problem =
      !run && settings.check ? settings.check() : std::optional<Error>();
  companions_.clear();
  if (problem) {
    return *problem;
  }
  return run;
}

Result<TargetRuns> AppRun::RunTarget(const AppTarget& target) {
  particulars_.dataset.reset();
  if (target.data) {
    DatasetSettings settings = request_.datasets;
    settings.base_folder = app_.folder.empty() ? "." : app_.folder;
    DatasetSource source;
    source.source = target.data->source;
    if (!target.data->sha256.empty()) {
      source.sha256 = target.data->sha256;
    }
    auto dataset = GetDataset(source, settings, request_.dataset_progress);
    if (!dataset) {
      return dataset.error();
    }
    particulars_.dataset = std::move(*dataset);
  }
  SessionSettings settings =
      AppSettings(app_, target, particulars_, request_.settings);
  if (Result<void> checked = CheckSettings(settings); !checked) {
    return checked.error();
  }
  TargetRuns done;
  done.target = target.name;
  settings.group = request_.repeat > 1 ? NewRunId() : "";
  settings.run_count = request_.repeat;
  for (int i = 0; i < request_.repeat; ++i) {
    settings.repeat_index = i;
    settings.run_number = i + 1;
    auto run = RunOnce(settings);
    if (!run) {
      return run.error();
    }
    done.runs.push_back(std::move(*run));
    if (WasCancelled(done.runs.back())) {
      break;
    }
  }
  return done;
}

Result<std::vector<TargetRuns>> AppRun::Execute() {
  if (Result<void> prepared = Prepare(); !prepared) {
    return prepared.error();
  }
  std::vector<TargetRuns> all;
  for (const AppTarget& target : app_.targets) {
    if (!request_.target.empty() && target.name != request_.target) {
      continue;
    }
    auto done = RunTarget(target);
    if (!done) {
      return done.error();
    }
    all.push_back(std::move(*done));
    if (WasCancelled(all.back().runs.back())) {
      break;
    }
  }
  if (all.empty()) {
    return Error{ErrorCode::kNotFound,
                 "the app " + app_.name + " has no target " + request_.target};
  }
  return all;
}

}  // namespace

Result<std::vector<TargetRuns>> RunApp(Store& store, const AppRequest& request,
                                       const ProgressListener& progress) {
  return AppRun(store, request, progress).Execute();
}

}  // namespace edgewise
