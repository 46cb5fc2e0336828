#include "containers/engine.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include "base/cgroups.h"
#include "base/text.h"

namespace edgewise {
namespace {

constexpr int kCapSysResource = 24;
constexpr rlim_t kMostOfPodman = 32768;

std::optional<std::string> InPath(const std::string& name) {
  const char* path = std::getenv("PATH");
  const std::string folders =
      path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin:/usr/sbin";
  for (const std::string_view folder : Split(folders, ':')) {
    std::string file = std::string(folder) + "/" + name;
    if (!folder.empty() && ::access(file.c_str(), X_OK) == 0) {
      return file;
    }
  }
  return std::nullopt;
}

bool MayRaiseLimits() {
  const auto status = TryReadFile("/proc/self/status").value_or("");
  for (const std::string_view line : Split(status, '\n')) {
    if (line.starts_with("CapEff:")) {
      const std::string digits(Trim(line.substr(line.find(':') + 1)));
      return (std::strtoull(digits.c_str(), nullptr, 16) >> kCapSysResource &
              1) != 0;
    }
  }
  return false;
}

// Podman raises limits of processes and open files; without the right to do so
// no container would start. It also lowers its own to 32768 processes, above
// which it then cannot go.
std::vector<std::string> OwnLimits() {
  std::vector<std::string> options;
  for (const auto& [resource, name] :
       {std::pair(RLIMIT_NOFILE, "nofile"), std::pair(RLIMIT_NPROC, "nproc")}) {
    rlimit limit{};
    if (::getrlimit(resource, &limit) == 0 && limit.rlim_max != RLIM_INFINITY) {
      const std::string most =
          std::to_string(std::min(limit.rlim_max, kMostOfPodman));
      options.emplace_back("--ulimit");
      options.push_back(std::string(name) + "=" + most + ":" + most);
    }
  }
  return options;
}

bool HasHybridCgroups() {
  const auto layout = FindCgroups();
  return layout && layout->unified && !layout->v1.empty();
}

Error Refusal(const Engine& engine, const EngineAnswer& answer) {
  const std::string name = engine.name();
  const std::string complaint = answer.Complaint();
  if (complaint.find("permission denied") != std::string::npos) {
    return {ErrorCode::kPermission,
            "this user may not use " + name + " (" + complaint +
                "): run edgewise as root or join the group that may"};
  }
  if (engine.kind == Engine::Kind::kDocker) {
    return {ErrorCode::kUnsupported,
            "docker's daemon does not answer (" + complaint +
                "): start it, or use podman, which needs none"};
  }
  return {ErrorCode::kUnsupported,
          "podman does not work here (" + complaint +
              "): try `podman info`, and see docs/containers.md"};
}

Result<Engine> AskPodman(Engine engine) {
  const auto answer =
      AskEngine(engine, {"info", "--format",
                         "{{.Host.OCIRuntime.Name}} {{.Host.CgroupManager}} "
                         "{{.Host.Security.Rootless}}"});
  if (!answer) {
    return answer.error();
  }
  const auto facts = SplitFields(answer->output);
  if (!answer->ok() || facts.size() != 3) {
    return Refusal(engine, *answer);
  }
  // crun refuses mixed trees of cgroups, runc takes them.
  if (facts[0] == "crun" && HasHybridCgroups()) {
    if (!InPath("runc")) {
      return Error{ErrorCode::kUnsupported,
                   "podman's crun cannot use this machine's mix of cgroups v1 "
                   "and v2: install runc"};
    }
    engine.global = {"--runtime", "runc"};
  }
  engine.takes_cgroup_parent = facts[1] == "cgroupfs" && facts[2] == "false";
  if (!MayRaiseLimits()) {
    engine.create = OwnLimits();
  }
  return engine;
}

Result<Engine> AskDocker(Engine engine) {
  const auto answer = AskEngine(
      engine, {"info", "--format", "{{.ServerVersion}} {{.CgroupDriver}}"});
  if (!answer) {
    return answer.error();
  }
  const auto facts = SplitFields(answer->output);
  if (!answer->ok() || facts.size() != 2) {
    return Refusal(engine, *answer);
  }
  engine.takes_cgroup_parent = facts[1] == "cgroupfs";
  return engine;
}

Result<Engine> TryEngine(Engine::Kind kind) {
  Engine engine;
  engine.kind = kind;
  const auto program = InPath(engine.name());
  if (!program) {
    return Error{ErrorCode::kUnsupported,
                 std::string(engine.name()) +
                     " is not installed: install it, or name a `command` "
                     "instead of an image"};
  }
  engine.program = *program;
  return kind == Engine::Kind::kPodman ? AskPodman(std::move(engine))
                                       : AskDocker(std::move(engine));
}

}  // namespace

std::vector<std::string> Engine::Words(
    const std::vector<std::string>& command) const {
  std::vector<std::string> words = {program};
  words.insert(words.end(), global.begin(), global.end());
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

Result<Engine> FindEngine(EngineChoice choice) {
  switch (choice) {
    case EngineChoice::kPodman:
      return TryEngine(Engine::Kind::kPodman);
    case EngineChoice::kDocker:
      return TryEngine(Engine::Kind::kDocker);
    case EngineChoice::kAuto:
      break;
  }
  const bool podman = InPath("podman").has_value();
  if (!podman && !InPath("docker")) {
    return Error{ErrorCode::kUnsupported,
                 "there is no container engine here: install podman or docker, "
                 "or name a `command` instead of an image"};
  }
  auto first =
      TryEngine(podman ? Engine::Kind::kPodman : Engine::Kind::kDocker);
  if (first || !podman || !InPath("docker")) {
    return first;
  }
  auto second = TryEngine(Engine::Kind::kDocker);
  return second ? std::move(second) : std::move(first);
}

}  // namespace edgewise
