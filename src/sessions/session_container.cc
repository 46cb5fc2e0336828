#include "sessions/session_container.h"

#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "sessions/gpu_tracing.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

constexpr char kInside[] = "/run/edgewise";

}  // namespace

Result<fs::path> MakeSocketFolder(const fs::path& scratch) {
  fs::path folder = scratch / "client";
  if (::mkdir(folder.c_str(), 0755) != 0 ||
      ::chmod(folder.c_str(), 0755) != 0) {
    return Error{
        ErrorCodeFromErrno(errno),
        "the folder " + folder.string() + " cannot be made: " + ErrnoText()};
  }
  return folder;
}

Result<Container> MakeSessionContainer(Guardian& guardian,
                                       const SessionSettings& settings,
                                       const fs::path& socket_path,
                                       const fs::path& home,
                                       const std::string& run_id) {
  const Conditions& conditions = settings.conditions;
  ContainerSpec spec = settings.container->spec;
  spec.mounts.push_back({socket_path.parent_path(), kInside});
  const fs::path socket_inside = fs::path(kInside) / socket_path.filename();
  // What the app file says of the environment wins.
  spec.env.merge(std::map<std::string, std::string>(
      ChannelVariables(settings, socket_inside.string(), run_id)));
  for (const auto& [name, value] : conditions.env) {
    spec.env[name] = value;
  }
  spec.limits.cpu_cores = conditions.cpu_quota_cores;
  spec.limits.memory_bytes = conditions.memory_limit_bytes;
  spec.limits.cores = conditions.cpus;
  if (settings.gpu_summary) {
    if (Result<void> traced = EnableGpuTracing(guardian.scratch(), &spec);
        !traced) {
      return traced.error();
    }
  }
  return Container::Create(guardian, settings.container->engine,
                           std::move(spec), home, run_id);
}

}  // namespace edgewise
