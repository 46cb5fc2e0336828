#include "sessions/settings.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string_view>

#include "base/text.h"
#include "base/units.h"
#include "controls/guardian.h"
#include "probes/perf_events.h"
#include "probes/stacks/sample_record.h"
#include "sessions/hold_frequency.h"

namespace edgewise {
namespace {

constexpr double kMinSampleHz = 0.001;
constexpr double kMinStackHz = 1;
constexpr double kMaxStackHz = 10000;
constexpr double kMaxSampleHz = 1000;

Error Invalid(std::string message) {
  return Error{ErrorCode::kInvalid, std::move(message)};
}

Result<void> CheckCpus(const std::vector<int>& cpus) {
  const std::vector<int> usable = UsableCpus();
  if (usable.empty()) {
    return {};
  }
  for (const int cpu : cpus) {
    if (!std::binary_search(usable.begin(), usable.end(), cpu)) {
      return Invalid("--cpus names core " + std::to_string(cpu) +
                     ", which this process may not use: choose from " +
                     FormatCpuList(usable));
    }
  }
  return {};
}

// The value of PATH the program will see.
std::string SearchPath(const Conditions& conditions) {
  if (const auto it = conditions.env.find("PATH"); it != conditions.env.end()) {
    return it->second;
  }
  const char* path = std::getenv("PATH");
  return path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
}

enum class Found { kNo, kNotExecutable, kYes };

Found LookAt(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) {
    return Found::kNo;
  }
  if (S_ISDIR(info.st_mode) || ::access(path.c_str(), X_OK) != 0) {
    return Found::kNotExecutable;
  }
  return Found::kYes;
}

Result<void> CheckCommand(const SessionSettings& settings) {
  const std::string& program = settings.command.front();
  Found found = Found::kNo;
  if (program.find('/') != std::string::npos) {
    const std::filesystem::path base = settings.conditions.cwd;
    found = LookAt((base / program).string());
  } else if (!program.empty()) {
    const std::string search_path = SearchPath(settings.conditions);
    for (const std::string_view folder : Split(search_path, ':')) {
      const std::string in = folder.empty() ? "." : std::string(folder);
      found = std::max(found, LookAt(in + "/" + program));
      if (found == Found::kYes) {
        break;
      }
    }
  }
  if (found == Found::kNotExecutable) {
    return Error{ErrorCode::kPermission,
                 "\"" + program +
                     "\" is not executable: make it so with chmod +x, or "
                     "name its interpreter first"};
  }
  if (found == Found::kNo) {
    return Error{ErrorCode::kNotFound,
                 "\"" + program +
                     "\" was not found: check its spelling and PATH, or give "
                     "its path"};
  }
  return {};
}

Result<void> CheckConditions(const Conditions& conditions) {
  if (Result<void> cpus = CheckCpus(conditions.cpus); !cpus) {
    return cpus;
  }
  if (conditions.threads && *conditions.threads < 1) {
    return Invalid("--threads must be at least 1");
  }
  if (conditions.nice && (*conditions.nice < -20 || *conditions.nice > 19)) {
    return Invalid("--nice must be from -20 (first) to 19 (last)");
  }
  if (!conditions.policy.empty()) {
    if (const auto policy = ParsePolicy(conditions.policy); !policy) {
      return policy.error();
    } else if (policy->realtime() && conditions.cpu_quota_cores) {
      return Invalid(
          "--cpu-quota does not govern a real-time --policy: leave one of them "
          "out");
    }
  }
  if (!(conditions.sample_hz >= kMinSampleHz) ||
      conditions.sample_hz > kMaxSampleHz) {
    return Invalid("--sample-hz must be from 0.001 to 1000");
  }
  if (conditions.stack_hz && (!(*conditions.stack_hz >= kMinStackHz) ||
                              *conditions.stack_hz > kMaxStackHz)) {
    return Invalid("--stacks must be from 1 to 10000 samples a second");
  }
  if (conditions.duration_ns && conditions.warmup_ns &&
      *conditions.warmup_ns >= *conditions.duration_ns) {
    return Invalid("--warmup must be shorter than --duration");
  }
  if (!conditions.cwd.empty() &&
      !std::filesystem::is_directory(conditions.cwd)) {
    return Invalid("--cwd " + conditions.cwd + " is not a folder");
  }
  for (const auto& [name, value] : conditions.env) {
    if (name.empty() || name.find('=') != std::string::npos) {
      return Invalid("--env needs NAME=value");
    }
  }
  return {};
}

Result<void> CheckAttach(const SessionSettings& settings) {
  if (!settings.command.empty()) {
    return Invalid("--pid measures a running process: leave the command out");
  }
  const std::string pid = std::to_string(settings.attach_pid);
  if (settings.attach_pid < 1 ||
      !std::filesystem::exists("/proc/" + pid + "/stat")) {
    return Error{ErrorCode::kNotFound,
                 "there is no process " + pid + ": check the pid"};
  }
  const auto stat = TryReadFile("/proc/" + pid + "/stat");
  const size_t name_end = stat ? stat->rfind(')') : std::string::npos;
  if (name_end != std::string::npos && stat->substr(name_end, 3) == ") Z") {
    return Error{
        ErrorCode::kNotFound,
        "process " + pid + " has ended, only its entry is left: check the pid"};
  }
  if (settings.attach_pid == ::getpid()) {
    return Invalid("--pid is edgewise itself: name another process");
  }
  const Conditions& asked = settings.conditions;
  if (!asked.cpus.empty() || asked.frequency_khz || asked.threads ||
      asked.nice || !asked.policy.empty() || asked.cpu_quota_cores ||
      asked.memory_limit_bytes || !asked.env.empty() || !asked.cwd.empty() ||
      !asked.prepare.empty() || !asked.cleanup.empty()) {
    return Invalid(
        "--pid only observes: --cpus, --frequency, --threads, --nice, "
        "--policy, --cpu-quota, --memory-limit, --env, --cwd, --prepare and "
        "--cleanup need a command to launch");
  }
  return {};
}

// What a container's engine decides cannot be set from here.
Result<void> CheckContainer(const SessionSettings& settings) {
  const Conditions& asked = settings.conditions;
  if (asked.nice || !asked.policy.empty() || !asked.cwd.empty()) {
    return Invalid(
        "--nice, --policy and --cwd do not reach into a container: leave them "
        "out, or give the engine's own options as `engine_args`");
  }
  return CheckFrequency(settings);
}

}  // namespace

std::vector<int> UsableCpus() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  std::vector<int> usable;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &allowed)) {
        usable.push_back(cpu);
      }
    }
  }
  return usable;
}

std::vector<std::string> DefaultEvents() {
  return {"cycles",   "instructions",  "cache-references", "cache-misses",
          "branches", "branch-misses", "cpu-migrations"};
}

Result<void> CheckSettings(const SessionSettings& settings) {
  if (settings.stack_bytes != 0 && !settings.conditions.stack_hz) {
    return Invalid("--stack-size needs --stacks HZ");
  }
  if (settings.stack_bytes < 0 || settings.stack_bytes > kMaxStackBytes ||
      settings.stack_bytes % 8 != 0) {
    return Invalid("--stack-size must be a multiple of 8 up to 60KiB");
  }
  if (Result<void> conditions = CheckConditions(settings.conditions);
      !conditions) {
    return conditions;
  }
  if (const auto events = FindPerfEvents(settings.events); !events) {
    return Invalid("--events: " + events.error().message);
  }
  if (settings.attach_pid != 0 && settings.gpu_summary) {
    return Invalid(
        "--gpu-summary needs a command to launch, not --pid: CUDA loads the "
        "recorder when a program starts");
  }
  if (settings.attach_pid != 0) {
    return CheckAttach(settings);
  }
  if (settings.container) {
    return CheckContainer(settings);
  }
  if (settings.command.empty()) {
    return Invalid(
        "nothing to run: write the command after --, or --pid for a running "
        "process");
  }
  if (Result<void> frequency = CheckFrequency(settings); !frequency) {
    return frequency;
  }
  return CheckCommand(settings);
}

std::map<std::string, std::string> ChannelVariables(
    const SessionSettings& settings, const std::string& socket_path,
    const std::string& run_id) {
  std::map<std::string, std::string> environment;
  if (settings.conditions.threads) {
    const std::string threads = std::to_string(*settings.conditions.threads);
    for (const char* name :
         {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
          "NUMEXPR_NUM_THREADS", "EDGEWISE_THREADS"}) {
      environment[name] = threads;
    }
  }
  // A session drains often and may meet bursts; 1 MiB a thread, touched only
  // as far as it is used.
  environment["EDGEWISE_RING_BYTES"] = std::to_string(1 << 20);
  environment["EDGEWISE_SOCKET"] = socket_path;
  environment["EDGEWISE_RUN_ID"] = run_id;
  for (const auto& [name, value] : settings.channels) {
    environment[name] = value;
  }
  return environment;
}

std::vector<std::string> ProgramEnvironment(const SessionSettings& settings,
                                            const std::string& socket_path,
                                            const std::string& run_id) {
  std::map<std::string, std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const size_t equals = text.find('=');
    if (equals != std::string_view::npos) {
      environment[std::string(text.substr(0, equals))] =
          text.substr(equals + 1);
    }
  }
  for (const auto& [name, value] :
       ChannelVariables(settings, socket_path, run_id)) {
    environment[name] = value;
  }
  for (const auto& [name, value] : settings.conditions.env) {
    environment[name] = value;
  }
  std::vector<std::string> entries;
  entries.reserve(environment.size());
  for (const auto& [name, value] : environment) {
    entries.push_back(name + "=" + value);
  }
  return entries;
}

}  // namespace edgewise
