#include "profiling/companion.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <utility>
#include <vector>

#include "base/child_program.h"
#include "base/text.h"
#include "base/unique_fd.h"
#include "containers/container.h"
#include "controls/guardian.h"
#include "probes/cgroup_stats.h"
#include "sessions/output_pump.h"
#include "sessions/readiness_probe.h"
#include "store/store.h"

namespace edgewise {
namespace {

constexpr int kLookEveryMs = 20;
constexpr size_t kShownOutput = 300;

std::vector<std::string> EnvironmentWith(
    std::map<std::string, std::string> changes, const std::string& id) {
  // By this a sweep knows processes that left their cgroup.
  changes["EDGEWISE_RUN_ID"] = id;
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!changes.contains(text.substr(0, text.find('=')))) {
      entries.push_back(text);
    }
  }
  for (const auto& [name, value] : changes) {
    entries.push_back(name + "=" + value);
  }
  return entries;
}

}  // namespace

struct RunningCompanion::State {
  Companion companion;
  Place place;
  std::string id;
  std::optional<Guardian> guardian;
  std::unique_ptr<OutputPump> pump;
  std::optional<Container> container;
  std::optional<CgroupProbe> cgroup;
  CgroupStats before;
  pid_t pid = 0;
  std::optional<int> status;  // of its main process, once that has ended

  Result<void> StartContainer();
  Result<void> StartProgram();
  Result<void> WaitUntilReady();
  // Takes what the guardian tells.
  void Look();
  Error Failure(const std::string& how) const;
};

Error RunningCompanion::State::Failure(const std::string& how) const {
  pump->Finish();
  std::string shown = std::string(Trim(pump->tail().Text()));
  if (shown.size() > kShownOutput) {
    shown = "…" + shown.substr(shown.size() - kShownOutput);
  }
  return {ErrorCode::kUnsupported,
          "the companion " + companion.name + " " + how +
              (shown.empty() ? "; it wrote nothing"
                             : "; its output ends with: " + shown)};
}

Result<void> RunningCompanion::State::StartContainer() {
  ContainerSpec spec;
  spec.image = companion.image;
  spec.args = companion.args;
  spec.engine_args = companion.engine_args;
  spec.env = companion.env;
  spec.env["EDGEWISE_RUN_ID"] = id;
  spec.limits = companion.limits;
  spec.network = place.network;
  spec.folder = place.folder.string();
  auto made = Container::Create(*guardian, *place.engine, std::move(spec),
                                place.home, id);
  if (!made) {
    return made.error();
  }
  container.emplace(std::move(*made));
  if (const auto held = container->Hold(); !held) {
    return held.error();
  }
  Result<void> started = container->Start(pump->stdout_fd(), pump->stderr_fd());
  pid = container->pid();
  if (const CgroupFolders folders = container->Cgroups(); !folders.empty()) {
    cgroup.emplace(folders);
  }
  return started;
}

Result<void> RunningCompanion::State::StartProgram() {
  CgroupWishes wishes;
  wishes.cpu_quota_cores = companion.limits.cpu_cores;
  wishes.memory_limit_bytes = companion.limits.memory_bytes;
  std::vector<std::string> refused;
  const auto folders = guardian->MakeCgroups(wishes, &refused);
  if (!folders) {
    return folders.error();
  }
  if (!folders->empty()) {
    cgroup.emplace(*folders);
  }
  LaunchRequest request;
  request.argv = companion.command;
  request.argv.insert(request.argv.end(), companion.args.begin(),
                      companion.args.end());
  request.env = EnvironmentWith(companion.env, id);
  request.cwd = place.folder.string();
  request.cpus = companion.limits.cores;
  const UniqueFd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  request.stdin_fd = nothing.get();
  request.stdout_fd = pump->stdout_fd();
  request.stderr_fd = pump->stderr_fd();
  const auto launched = guardian->Launch(request);
  if (!launched) {
    return launched.error();
  }
  pid = *launched;
  return guardian->Release();
}

void RunningCompanion::State::Look() {
  while (const auto event = guardian->Next()) {
    switch (event->kind) {
      case GuardianEvent::Kind::kExited:
        status = event->status;
        break;
      case GuardianEvent::Kind::kLaunchFailed:
      case GuardianEvent::Kind::kGuardianDied:
        status = 127 << 8;
        break;
      case GuardianEvent::Kind::kTreeEmpty:
        break;
    }
  }
}

Result<void> RunningCompanion::State::WaitUntilReady() {
  const int64_t start_ns = MonotonicNs();
  const ReadinessProbe probe(companion.ready.value_or(Readiness()),
                             pump->watch());
  while (true) {
    Look();
    if (status) {
      return Failure("ended before it was ready (" + EndText(*status) + ")");
    }
    if (!companion.ready || probe.ReadyNs(pid, start_ns, MonotonicNs())) {
      return {};
    }
    if (probe.TooLate(start_ns, MonotonicNs())) {
      return Failure(probe.TooLateText());
    }
    pollfd wait = {guardian->event_fd(), POLLIN, 0};
    ::poll(&wait, 1, kLookEveryMs);
  }
}

RunningCompanion::RunningCompanion(std::unique_ptr<State> state)
    : state_(std::move(state)) {}

RunningCompanion::~RunningCompanion() {
  if (state_->container) {
    state_->container->Signal(SIGKILL);  // its client ends with it
  }
  if (state_->guardian) {
    const auto ended = state_->guardian->End();
    if (!ended && state_->container) {
      state_->container->Remove();
    }
  }
}

Result<std::unique_ptr<RunningCompanion>> RunningCompanion::Start(
    const Companion& companion, const Place& place) {
  auto state = std::make_unique<State>();
  State& own = *state;
  own.companion = companion;
  own.place = place;
  own.id = NewRunId();
  auto guardian = Guardian::Start(place.home, own.id);
  if (!guardian) {
    return guardian.error();
  }
  own.guardian.emplace(std::move(*guardian));
  std::unique_ptr<RunningCompanion> running(
      new RunningCompanion(std::move(state)));
  own.pump = std::make_unique<OutputPump>(
      false, companion.ready ? companion.ready->log : "");
  if (Result<void> started = own.pump->Start(); !started) {
    return started.error();
  }
  Result<void> started =
      companion.image.empty() ? own.StartProgram() : own.StartContainer();
  own.pump->CloseProgramEnds();
  if (!started) {
    return Error{started.error().code, "the companion " + companion.name +
                                           ": " + started.error().message};
  }
  if (Result<void> ready = own.WaitUntilReady(); !ready) {
    return ready.error();
  }
  return running;
}

const std::string& RunningCompanion::name() const {
  return state_->companion.name;
}

std::string RunningCompanion::container_name() const {
  return state_->container ? state_->container->name() : "";
}

std::optional<Error> RunningCompanion::Problem() {
  state_->Look();
  if (!state_->status) {
    return std::nullopt;
  }
  return state_->Failure("ended while the app ran (" +
                         EndText(*state_->status) + ")");
}

void RunningCompanion::CountFromNow() {
  if (state_->cgroup) {
    state_->before = state_->cgroup->Read();
  }
}

CompanionUse RunningCompanion::Use() {
  CompanionUse use;
  if (state_->cgroup) {
    const CgroupStats now = state_->cgroup->Read();
    if (now.cpu_ns) {
      use.cpu_s =
          static_cast<double>(*now.cpu_ns - state_->before.cpu_ns.value_or(0)) /
          1e9;
    }
    use.peak_bytes = now.memory_peak_bytes;
  }
  return use;
}

}  // namespace edgewise
