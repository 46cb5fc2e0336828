// Run: one execution of an app under stated conditions, as it is stored.
//
// Everything a Run holds that is small lives in this struct and is stored as
// one document; spans and series, which grow with the length of the run, are
// streamed to the store in blocks (store/run_writer.h) and read back from it
// (store/store.h). A field that could not be measured is nullopt, and
// `unavailable` says why; it is never 0.
#ifndef EDGEWISE_STORE_RUN_H_
#define EDGEWISE_STORE_RUN_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/machine.h"
#include "base/unavailable.h"
#include "gpu/summary.h"

namespace edgewise {

// What was asked for. Unset means: left as the system has it.
struct Conditions {
  std::vector<int> cpus;
  // The clock that the cores were held at: of what was asked for, the nearest
  // that they have.
  std::optional<int64_t> frequency_khz;
  std::optional<int> threads;
  std::map<std::string, std::string> env;
  std::string cwd;
  std::optional<int> nice;
  std::string policy;  // "other", "batch", "idle", "fifo:50", "rr:10"; or empty
  std::optional<double> cpu_quota_cores;
  std::optional<int64_t> memory_limit_bytes;
  std::optional<int64_t> warmup_ns;
  std::optional<int64_t> duration_ns;
  std::optional<int64_t> timeout_ns;
  double sample_hz = 10;
  // Stack samples each second of CPU time; nullopt: none are taken.
  std::optional<double> stack_hz;
  std::string prepare;
  std::string cleanup;
};

enum class RunState { kRunning, kDone, kInterrupted };

// Why the program stopped.
enum class EndReason {
  kExited,       // by itself, with exit_code
  kSignal,       // killed by `signal`
  kDuration,     // the planned end: --duration was reached
  kTimeout,      // the unplanned end: --timeout was reached
  kCancelled,    // Ctrl-C or SIGTERM to edgewise
  kOutOfMemory,  // killed by its memory limit
  kDetached,     // attached by --pid; still runs
  kFailed,       // could not be started
};

// Totals over the run, of the whole tree of processes unless stated.
struct Totals {
  std::optional<double> wall_s;
  std::optional<double> cpu_user_s;
  std::optional<double> cpu_system_s;
  std::optional<int64_t> max_rss_bytes;    // largest single process (rusage)
  std::optional<int64_t> tree_peak_bytes;  // all processes together
  std::optional<int64_t> max_pss_bytes;
  std::optional<int64_t> minor_faults;
  std::optional<int64_t> major_faults;
  std::optional<int64_t> voluntary_switches;
  std::optional<int64_t> involuntary_switches;
  std::optional<int64_t> migrations;
  std::optional<double> run_queue_wait_s;
  std::optional<int64_t> block_read_bytes;
  std::optional<int64_t> block_write_bytes;
  std::optional<int64_t> net_receive_bytes;   // of the network namespace
  std::optional<int64_t> net_transmit_bytes;  // of the network namespace
  std::optional<int64_t> max_threads;
  std::optional<int64_t> max_processes;
  std::optional<int64_t> throttled_periods;
  std::optional<double> throttled_s;
  std::optional<double> psi_cpu_some_s;  // stall time during the run
  std::optional<double> psi_memory_some_s;
  std::optional<double> psi_io_some_s;
  std::optional<double> steal_s;  // of all cores, taken by the hypervisor
  std::optional<double> energy_j;
};

struct CounterValue {
  std::string name;  // "cycles", "cache-misses"
  std::optional<double> value;
  // Share of the time the counter was on the hardware; below 1 the value is
  // scaled up (multiplexing).
  double running_share = 1;
};

struct ThreadUse {
  int pid = 0;
  int tid = 0;
  std::string name;
  double cpu_s = 0;
  std::optional<double> run_queue_wait_s;
  std::string affinity;  // CPU list at the last look
};

// How a process with the in-app library fared.
struct ClientAccount {
  int pid = 0;
  std::string name;
  int64_t records = 0;
  int64_t dropped = 0;                  // ring full, no slot, re-entered
  int64_t metadata_cut = 0;             // metadata longer than the cap
  std::vector<std::string> open_spans;  // open when the process ended
};

struct ProfilerCost {
  double cpu_s = 0;
  int64_t max_rss_bytes = 0;
};

// One GPU of the machine during the Run, whoever used it.
struct GpuUse {
  std::string name;                          // "NVIDIA H200"
  std::optional<int64_t> memory_bytes;       // all that it has
  std::optional<int64_t> memory_peak_bytes;  // most in use at once
  std::optional<double> peak_bytes_per_s;    // what its memory could move
  std::optional<double> busy_percent;        // of the time some kernel ran
  std::optional<double> energy_j;
};

struct GpuAccount {
  std::vector<GpuUse> devices;
  // Of the program alone, on all GPUs; nullopt where the driver does not tell
  // processes apart.
  std::optional<int64_t> memory_peak_bytes;
  // The most that GPU memory moved in a fifth of a second; nullopt where it
  // is not counted, or others used the GPU too.
  std::optional<double> most_bytes_per_s;
  std::optional<GpuSummary> summary;  // of kernels and copies: --gpu-summary
};

struct Run {
  std::string id;  // 12 lower-case hex digits, unique; sorts by nothing
  // Runs made together (--repeat, ab) share a group; empty otherwise.
  std::string group;
  std::string group_role;  // "a" or "b" of a comparison; what was set
  int repeat_index = 0;
  // What the group was made for: "sweep seed=1 threads=1 threads=2"; empty for
  // plain Runs.
  std::string experiment;
  std::string kind = "run";  // "run", "attach", "live", "import"
  std::string label;
  std::string note;
  std::vector<std::string> command;
  Conditions conditions;
  Machine machine;
  std::string edgewise_version;

  RunState state = RunState::kRunning;
  int64_t started_utc_ns = 0;
  // CLOCK_MONOTONIC at the start; times of spans and series count from it.
  int64_t started_monotonic_ns = 0;

  std::optional<EndReason> end_reason;
  std::optional<int> exit_code;  // of the program, if it exited
  std::optional<int> signal;     // that ended the program
  Totals totals;
  std::vector<CounterValue> counters;
  std::vector<ThreadUse> threads;
  std::vector<ClientAccount> clients;
  std::string output_tail;   // last part of stdout and stderr
  int64_t output_bytes = 0;  // all that was written
  ProfilerCost profiler;
  std::optional<GpuAccount> gpu;  // nullopt on a machine without one
  // Under which conditions it came about, beside `conditions`, by name: what
  // the kind of experiment knows ("broker_version", "tcp_nodelay").
  std::map<std::string, std::string> details;
  std::vector<Unavailable> unavailable;
  std::vector<std::string> warnings;
};

// One closed span of the in-app library. Times count from the Run's start.
struct Span {
  int64_t start_ns = 0;
  int64_t wall_ns = 0;
  int64_t cpu_ns = -1;  // -1: not measured (a wall-only Timer)
  int32_t tid = 0;
  uint32_t meta = 0;  // id of a metadata text; 0 is none
};

// One job of a periodic activity. Times count from the Run's start.
struct Job {
  int64_t release_ns = 0;  // when it was meant to start
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  int64_t deadline_ns = 0;  // absolute, as the others; missed if end is later
  int64_t cpu_ns = -1;      // -1: not measured
  int32_t tid = 0;
};

struct Point {
  int64_t t_ns = 0;  // from the Run's start
  double value = 0;
};

// Spans or points of one name within a Run.
enum class SeriesKind : int {
  kSpan = 0,    // Span records
  kGauge = 1,   // reported by the app
  kSystem = 2,  // sampled by edgewise: cpu_percent, rss_bytes, …
  kJob = 3,     // Job records of a periodic activity
};

struct SeriesInfo {
  int64_t id = 0;
  SeriesKind kind = SeriesKind::kSpan;
  std::string name;
  std::string unit;     // "ms", "bytes", "percent", ""; empty for spans
  int64_t count = 0;    // records stored, one by one
  int64_t dropped = 0;  // known to be lost
  // Further records, beyond what a Run may store one by one: only their
  // distribution is kept (Store::DigestOf).
  int64_t summarised = 0;
};

}  // namespace edgewise

#endif  // EDGEWISE_STORE_RUN_H_
