// Guardian: launches programs, and cleans up whatever happens to edgewise.
//
// A tiny separate process (its program is embedded in edgewise and run from a
// memfd, so that a launched program does not inherit edgewise's peak memory).
// It is started before anything else is created. It is the subreaper of all
// it launches; when the other end of its socket closes for whatever reason it
// kills what is left, puts back what was changed, removes the cgroups it made
// in every hierarchy, removes the scratch folder, and ends. If both die,
// SweepStale at the next start does the same from the journal file.
//
// Not thread-safe. The calling process becomes a subreaper too, so that a
// killed guardian's children come here and can be ended.
#ifndef EDGEWISE_CONTROLS_GUARDIAN_H_
#define EDGEWISE_CONTROLS_GUARDIAN_H_

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/cgroups.h"
#include "base/result.h"
#include "controls/cgroup_create.h"
#include "controls/frequency.h"
#include "controls/netem_queue.h"
#include "controls/policy.h"

namespace edgewise {

// What to run, and how. Empty or -1 means: as edgewise itself.
struct LaunchRequest {
  std::vector<std::string> argv;
  std::vector<std::string> env;  // whole environment, "NAME=value"
  std::string cwd;               // empty: as edgewise
  std::vector<int> cpus;         // empty: as edgewise
  std::optional<int> nice;
  std::optional<SchedulingPolicy> policy;
  int stdin_fd = -1;      // -1: as edgewise
  int stdout_fd = -1;     // -1: as edgewise
  int stderr_fd = -1;     // -1: as edgewise
  bool in_cgroup = true;  // false for --prepare and --cleanup
  // A terminal whose foreground the program takes, and the guardian gives back
  // to who had it when the program ends; -1: none.
  int terminal_fd = -1;
};

// Something happened to a launched program.
struct GuardianEvent {
  enum class Kind {
    kExited,        // the main process ended: `status`
    kLaunchFailed,  // never ran: `error_number` at `stage`; nothing follows
    kTreeEmpty,     // after kExited: no process of this launch's tree is left
    kGuardianDied,  // the guardian itself is gone; told once
  };
  Kind kind = Kind::kExited;
  pid_t pid = 0;
  int status = 0;        // as from waitpid
  int error_number = 0;  // of a failed launch
  // "exec", "chdir", "affinity", "policy", "nice", "cgroup" or "request".
  std::string stage;
  // rusage of the main process (and children it waited for).
  double cpu_user_s = 0, cpu_system_s = 0;
  int64_t max_rss_bytes = 0;
  int64_t minor_faults = 0, major_faults = 0;
  int64_t voluntary_switches = 0, involuntary_switches = 0;
};

// What the whole tree used: every process the guardian or its descendants
// waited for, of launches with in_cgroup (whether or not there are cgroups).
// max_rss_bytes is the largest single process.
struct TreeUsage {
  double cpu_user_s = 0, cpu_system_s = 0;
  int64_t max_rss_bytes = 0;
  int64_t minor_faults = 0, major_faults = 0;
  int64_t voluntary_switches = 0, involuntary_switches = 0;
  int64_t killed_leftovers = 0;  // processes that had to be killed at the end
  double guardian_cpu_s = 0;     // its own cost
  int64_t guardian_max_rss_bytes = 0;
};

class Guardian {
 public:
  // `home` holds the journal (home/sessions/ID); `id` names the cgroups
  // (edgewise-ID) and the scratch folder, which is made here (mode 0700, short
  // enough for a socket path) and removed with the guardian.
  static Result<Guardian> Start(const std::filesystem::path& home,
                                const std::string& id);
  Guardian(Guardian&&) noexcept;
  Guardian& operator=(Guardian&&) noexcept;
  ~Guardian();  // as End(), ignoring the outcome

  const std::filesystem::path& scratch() const;
  // The guardian's own process, the ancestor of all it launches.
  pid_t pid() const;

  // Makes the cgroups and sets their limits. Hierarchies that refuse are left
  // out (folders empty, reason appended to `refused`); a wish that cannot be
  // fulfilled is an error with what to do.
  Result<CgroupFolders> MakeCgroups(const CgroupWishes& wishes,
                                    std::vector<std::string>* refused);

  // Holds cores at a clock until the session ends, however that comes: then
  // the limits are as before. kBusy while another session holds them.
  Result<void> HoldFrequency(const FrequencyPlan& plan);

  // Gives a network interface a netem queue until the session ends, however
  // that comes. What leaves through the interface meets it, what arrives does
  // not. Errors say what to do: kInvalid if there is no such interface or it is
  // the host's loopback, kBusy if it has a queue that somebody set,
  // kUnsupported or kPermission where netem cannot be had.
  Result<void> HoldNetem(const std::string& interface,
                         const NetemValues& values);

  // Announces cgroups called edgewise-ID that somebody else makes for this
  // session (a container engine): they are emptied and removed at the end.
  Result<void> ExpectCgroups(const std::vector<std::filesystem::path>& folders);

  // A program to run when the session ends, however that comes, before anything
  // is killed or removed: it tells a daemon what to clean up. It must be quick,
  // and do no harm when there is nothing to do. Its argv[0] is looked for in
  // the PATH of its own environment; output goes nowhere. Replaces an earlier
  // one.
  Result<void> RunAtEnd(const LaunchRequest& request);

  // Forks the program and holds it just before exec; returns its pid, so that
  // counters can be opened on it. Release lets it go. A setting or program
  // that fails comes as a kLaunchFailed event, also before Release. One
  // program at a time (kBusy); its leftovers do not hinder the next.
  Result<pid_t> Launch(const LaunchRequest& request);
  Result<void> Release();

  // Readable when Next() has something.
  int event_fd() const;
  std::optional<GuardianEvent> Next();

  // Sends a signal to every process of the tree of the current launch, not to
  // what earlier launches left.
  Result<void> SignalTree(int signal);
  // Kills what is left, puts the clock back, removes netem queues, cgroups,
  // scratch folder and journal; waits for the guardian to end. Later calls do
  // nothing. An error if something could not be killed (kBusy) or removed, or
  // if the guardian was killed: then all is cleaned up, but what was used is
  // not known (kIo).
  Result<TreeUsage> End();

 private:
  struct State;
  explicit Guardian(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Cleans up after sessions whose edgewise and guardian are both gone: kills
// their processes, puts the clock back, removes their netem queues, cgroups and
// scratch folders. Returns how many sessions were swept. Safe to run while
// other sessions are alive.
Result<int> SweepStale(const std::filesystem::path& home);

}  // namespace edgewise

#endif  // EDGEWISE_CONTROLS_GUARDIAN_H_
