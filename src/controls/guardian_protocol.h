// What the library and the guardian program say to each other. Both are built
// from the same sources, so structs travel as they are in memory.
//
// Two SEQPACKET socket pairs: commands, each with one Reply (fds as
// SCM_RIGHTS), and events, which the guardian sends when they happen.
#ifndef EDGEWISE_CONTROLS_GUARDIAN_PROTOCOL_H_
#define EDGEWISE_CONTROLS_GUARDIAN_PROTOCOL_H_

#include <sys/types.h>

#include <climits>
#include <cstdint>

namespace edgewise::guardian {

// Where the guardian program finds its ends.
inline constexpr int kCommandFd = 3;
inline constexpr int kEventFd = 4;

// How long killing may take before what is left is given up, and how long the
// library waits for the guardian's last word.
inline constexpr int64_t kKillNs = 8'000'000'000;
inline constexpr int kEndTimeoutMs = 45'000;
// How long the current program has to end before a last one is run, and how
// long that may take.
inline constexpr int64_t kMakeWayNs = 5'000'000'000;
inline constexpr int64_t kLastProgramNs = 15'000'000'000;

// A launch request carries at most this: the kernel's own limit for argument
// and environment is far below.
inline constexpr uint64_t kMaxRequestBytes = 64u << 20;

enum class Kind : int32_t {
  kJournal,  // text: the journal file; removed at the end
  kScratch,  // text: a folder; removed with its content at the end
  kCgroup,   // text: a cgroup; emptied and removed at the end
  kRestore,  // text: a file (restore.h); its value is put back at the end
  kNetem,    // number: a network interface, text: the handle of its netem queue
             // (netem_queue.h), which is removed at the end
  kAtEnd,    // fds: the request (memfd) of a program to run at the end
  kLaunch,   // fds: the request (memfd), then stdin, stdout, stderr, terminal
  kRelease,
  kSignal,  // number: the signal
  kEnd,
};

struct Command {
  Kind kind;
  int32_t number;
  char text[PATH_MAX];
};

// Files of a launch, in the order in which they travel. An absent one is not
// sent; `Command::number` has bit i set for each that is.
enum LaunchFd { kRequest, kStdin, kStdout, kStderr, kTerminal, kLaunchFds };

// Processor time, memory and switches of processes that were waited for.
struct Usage {
  int64_t user_us, system_us;
  int64_t max_rss_bytes;
  int64_t minor_faults, major_faults;
  int64_t voluntary_switches, involuntary_switches;
};

struct Reply {
  int32_t error;  // errno of the command, 0 if done
  // kLaunch: the pid; kSignal: how many took it; kRestore: the file's value
  int32_t number;
  // kEnd only:
  int32_t stuck;  // processes that could not be killed
  int32_t left;   // errno of the first thing that could not be removed
  int64_t killed;
  Usage tree;
  int64_t own_cpu_us, own_max_rss_bytes;
};

// The steps of a launch that may fail.
enum class Stage : int32_t {
  kFork,
  kRequest,
  kCgroup,
  kAffinity,
  kNice,
  kPolicy,
  kChdir,
  kExec,
};

struct Event {
  enum class Kind : int32_t { kExited, kLaunchFailed, kTreeEmpty };
  Kind kind;
  pid_t pid;
  int32_t status;
  int32_t error;
  Stage stage;
  Usage usage;
};

// The head of a launch request, followed by cpus (int32 each), then
// zero-terminated strings: cgroup folders to enter, arguments, environment,
// working folder (may be empty).
struct RequestHead {
  uint32_t cpus, cgroups, arguments, environment;
  int32_t nice, policy, priority;
  uint8_t has_nice, has_policy, counted;
};

}  // namespace edgewise::guardian

#endif  // EDGEWISE_CONTROLS_GUARDIAN_PROTOCOL_H_
