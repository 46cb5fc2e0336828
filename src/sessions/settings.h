// What a user asked a session to do; checked once, before anything starts.
#ifndef EDGEWISE_SESSIONS_SETTINGS_H_
#define EDGEWISE_SESSIONS_SETTINGS_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "appfile/app_file.h"
#include "base/clock.h"
#include "base/result.h"
#include "containers/container_spec.h"
#include "impair/impairment.h"
#include "store/run.h"

namespace edgewise {

// A container to launch instead of a program. Limits and environment come from
// the session's conditions.
struct ContainerPlan {
  Engine engine;
  ContainerSpec spec;
};

struct SessionSettings {
  // Empty when attaching. Of a container: its image and arguments, to be shown.
  std::vector<std::string> command;
  std::optional<ContainerPlan> container;
  int attach_pid = 0;  // 0: launch `command`
  Conditions conditions;
  std::vector<std::string> events;  // hardware and software counters
  // For the program's environment, no condition of the measurement.
  std::map<std::string, std::string> channels;
  // Threads of the program get a real-time policy while it runs: it stays out
  // of cgroups that have no budget for that.
  bool realtime_later = false;
  // Of a container: what its network suffers.
  Impairment network;
  // When the program is warm; what it did before is warm-up. One that does not
  // get ready in time is ended as if it had timed out.
  std::optional<Readiness> ready;
  // Asked some times a second while the program runs: an error ends it, and is
  // the session's.
  std::function<std::optional<Error>()> check;
  // Called once the program has ended, before the Run is stored for good.
  std::function<void(Run*)> complete;
  std::map<std::string, std::string> details;  // Run::details
  std::string label;
  std::string note;
  std::string group;
  std::string group_role;
  std::string experiment;  // Run::experiment
  int repeat_index = 0;
  int run_number = 1;  // for progress: of run_count that belong together
  int run_count = 1;
  // Of each stack sample; 0: as the sampler thinks best.
  int64_t stack_bytes = 0;
  // Record kernels, copies and calls of CUDA (sessions/gpu_tracing.h).
  bool gpu_summary = false;
  bool read_pss = true;     // dearer than all else that is sampled
  bool pass_output = true;  // else it is only kept
  // Where the clock of the cores is set; another in tests only.
  std::filesystem::path sysfs_root = "/sys";
  // Between SIGINT, SIGTERM and SIGKILL.
  int64_t grace_ns = 5 * kNsPerSecond;
  // How long descendants may outlive the main process before they are ended.
  int64_t linger_ns = 10 * kNsPerSecond;
};

// The counters read when the user names none.
std::vector<std::string> DefaultEvents();

// The cores this process, and so what it launches, may use; ascending. Empty
// where the kernel does not tell.
std::vector<int> UsableCpus();

// Refuses what cannot work, in one sentence: cores that are not online,
// contradicting times, an unknown policy, a folder that does not exist, a clock
// that cannot be set.
// The command must exist and be executable: kNotFound and kPermission are the
// two ways it may not be (exit codes 127 and 126).
Result<void> CheckSettings(const SessionSettings& settings);

// What a program is told by its environment: thread counts, and where the
// in-app library finds its collector.
std::map<std::string, std::string> ChannelVariables(
    const SessionSettings& settings, const std::string& socket_path,
    const std::string& run_id);

// The environment of the launched program: ours, with these and --env.
std::vector<std::string> ProgramEnvironment(const SessionSettings& settings,
                                            const std::string& socket_path,
                                            const std::string& run_id);

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_SETTINGS_H_
